const LENGTH_MAX = 200;

let held: { text: string; readonly release: () => void } | null = null;

/**
 * Keeps what is typed from now on from the page, until {@link takeTyped}: an overlay that is still loading has no field yet. Escape
 * cancels. Nothing is run: Enter would act on what is not shown yet. Keys of an input method, and those with a modifier, stay the
 * browser's; AltGr types characters.
 */
export function holdTyped(onCancel: () => void): void {
  takeTyped();
  const press = (event: KeyboardEvent) => {
    if (held === null || event.isComposing || event.metaKey) return;
    if ((event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph')) return;
    if (event.key === 'Backspace') held.text = [...held.text].slice(0, -1).join('');
    else if ([...event.key].length === 1) held.text = (held.text + event.key).slice(0, LENGTH_MAX);
    else if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Escape') onCancel();
  };
  window.addEventListener('keydown', press, { capture: true });
  held = { text: '', release: () => window.removeEventListener('keydown', press, { capture: true }) };
}

/** Ends {@link holdTyped}, and returns what was typed meanwhile; empty where nothing was held. */
export function takeTyped(): string {
  const text = held?.text ?? '';
  held?.release();
  held = null;
  return text;
}
