'use client';

import { IconX } from '@tabler/icons-react';
import { createContext, type KeyboardEvent, type ReactNode, use, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../button/button.tsx';
import classes from './dialog.module.css';

/** Tells the dialog around that something of a form in it is not saved; forms are told apart by their ids. */
const UnsavedContext = createContext<((form: string, isUnsaved: boolean) => void) | null>(null);

/** Lets the dialog around, if there is one, ask before it closes while something is not saved. True if there is one. */
export function useUnsavedInDialog(isUnsaved: boolean): boolean {
  const tell = use(UnsavedContext);
  const form = useId();
  useEffect(() => {
    tell?.(form, isUnsaved);
    return () => tell?.(form, false);
  }, [tell, form, isUnsaved]);
  return tell !== null;
}

/**
 * The one dialog: its title, what happens in figures, the fields, then {@link DialogActions}. The first field has the focus, or
 * else the last button, so that Enter confirms; in one that destroys something, cancelling. The focus returns to the element
 * that had it.
 *
 * Escape, the cross and a click beside it close it. While a form in it has unsaved input, they ask first. With
 * `locked`, for what is shown only once, nothing closes it but its own button.
 */
export function Dialog({
  title,
  locked = false,
  onClose,
  children,
}: {
  title: string;
  locked?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const heading = useId();
  const [isAsking, setIsAsking] = useState(false);
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set());
  const [tell] = useState(() => (form: string, isUnsaved: boolean) => setUnsaved((before) => withForm(before, form, isUnsaved)));
  const isDirty = unsaved.size > 0;
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    focusFirst(content.current);
    return () => element?.close();
  }, []);

  function leave() {
    if (locked) return;
    if (isDirty && !isAsking) setIsAsking(true);
    else onClose();
  }

  function press(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    // A browser closes a dialog at the second Escape whatever its cancel event says; a key that is taken does not reach it.
    event.preventDefault();
    event.stopPropagation();
    leave();
  }

  function closed() {
    const element = dialog.current;
    // The close event arrives late: a dialog that has been shown again meanwhile stays.
    if (element === null || element.open) return;
    if (locked) element.showModal();
    else onClose();
  }

  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={heading}
      onClose={closed}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onKeyDown={press}
      onClick={(event) => event.target === dialog.current && leave()}
    >
      <div className="grid grid-cols-1 gap-4 px-5 pt-4 pb-5 max-phone:px-4 max-phone:pt-3 max-phone:pb-4" ref={content}>
        <header className="flex items-center gap-2 -mr-2.5">
          <h2 className="flex-1 min-w-0 text-lg font-semibold wrap-anywhere" id={heading}>
            {title}
          </h2>
          {!locked && (
            <button
              type="button"
              className="grid place-items-center w-9 h-9 rounded-lg text-ink-quiet hover:bg-ground-hover hover:text-ink"
              onClick={leave}
              aria-label="Close"
              data-close
            >
              <IconX size={18} stroke={1.7} aria-hidden="true" />
            </button>
          )}
        </header>
        <UnsavedContext value={tell}>{children}</UnsavedContext>
        {isDirty && isAsking && (
          <div
            className="flex flex-wrap gap-2 items-center py-2.5 px-3 border-l-3 border-wait bg-wait-soft text-sm [&_p]:flex-1 [&_p]:min-w-[160px]"
            role="alert"
          >
            <p>What you entered is not saved.</p>
            <Button onClick={() => setIsAsking(false)}>Keep editing</Button>
            <Button variant="danger" onClick={onClose}>
              Discard
            </Button>
          </div>
        )}
      </div>
    </dialog>
  );
}

function withForm(unsaved: ReadonlySet<string>, form: string, isUnsaved: boolean): ReadonlySet<string> {
  const others = [...unsaved].filter((each) => each !== form);
  return new Set(isUnsaved ? [...others, form] : others);
}

/** Gives the focus to what the dialog is about, unless a field of its own has asked for it. */
function focusFirst(content: HTMLElement | null): void {
  const active = document.activeElement;
  if (content === null || (active !== null && content.contains(active) && !active.hasAttribute('data-close'))) return;
  const field = content.querySelector<HTMLElement>(
    'input:not([disabled], [type="radio"]:not(:checked)), textarea:not([disabled]), [role="combobox"]',
  );
  const actions = [...content.querySelectorAll<HTMLElement>('[data-dialog-actions] button:not([disabled])')];
  const last = actions.at(-1);
  (field ?? (last?.dataset.variant === 'danger' ? actions[0] : last))?.focus();
}

/** The buttons of a dialog: cancelling, then other ways out, then the action itself at the end. */
export function DialogActions({ onCancel, children }: { onCancel?: () => void; children: ReactNode }) {
  return (
    <div className={classes.actions} data-dialog-actions>
      {onCancel !== undefined && (
        // The press leaves the focus where it is: a field that is left shows its problem and would move the button away.
        <Button onMouseDown={(event) => event.preventDefault()} onClick={onCancel}>
          Cancel
        </Button>
      )}
      {children}
    </div>
  );
}
