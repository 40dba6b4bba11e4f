/** Marks what floats and may hold something that floats itself. */
export const floatingHomeMark = { 'data-floating-home': true } as const;

/**
 * Where what floats beside an element belongs: in its open dialog, which makes the rest of the page inert; in the popup that holds
 * it, which would close by a click elsewhere; else in the page's own content.
 */
export function floatingHome(element: Element | null): HTMLElement {
  return (
    element?.closest<HTMLElement>('dialog[open], [data-floating-home]') ?? document.getElementById('content') ?? document.body
  );
}
