'use client';

import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { LeaveGuardContext, UnsavedQuestion, useLeave, useLeaveGuard } from '#/leaving/leave-guard.tsx';
import { Button } from '../button/button.tsx';

/**
 * The one dialog: its title, what happens in figures, the fields, then {@link DialogActions}. The first field has the focus, or
 * else the last button, so that Enter confirms; in one that destroys something, cancelling. The focus returns to the element
 * that had it.
 *
 * Escape, the cross, a click beside it, its Cancel button, links and steps of the history close it. While a form in it has unsaved
 * input, they ask first. With `locked`, for what is shown only once, nothing closes it but its own button.
 */
export function Dialog({
  title,
  locked = false,
  covers = false,
  onClose,
  children,
}: {
  title: string;
  locked?: boolean;
  /** Nothing of the page is seen behind it. */
  covers?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const heading = useId();
  const question = useLeaveGuard();
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    focusFirst(content.current);
    return () => element?.close();
  }, []);

  function leave() {
    if (!locked) question.guard.leave(onClose);
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
    if (locked || question.isUnsaved) element.showModal();
    leave();
  }

  return (
    <dialog
      ref={dialog}
      className="sheet"
      data-covers={covers}
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
        <LeaveGuardContext value={question.guard}>{children}</LeaveGuardContext>
        <UnsavedQuestion question={question} />
      </div>
    </dialog>
  );
}

/** Gives the focus to what the dialog is about, unless a field of its own has asked for it. */
function focusFirst(content: HTMLElement | null): void {
  const active = document.activeElement;
  if (content === null || (active !== null && content.contains(active) && !active.hasAttribute('data-close'))) return;
  const field = content.querySelector<HTMLElement>(
    'input:not([disabled], [readonly], [type="radio"]:not(:checked)), textarea:not([disabled]), [role="combobox"]',
  );
  const actions = [...content.querySelectorAll<HTMLElement>('[data-dialog-actions] button:not([disabled])')];
  const last = actions.at(-1);
  (field ?? (last?.dataset.variant === 'danger' ? actions[0] : last))?.focus();
}

/** The buttons of a dialog: cancelling, which asks before something entered is lost, other ways out, then the action at the end. */
export function DialogActions({ onCancel, children }: { onCancel?: () => void; children: ReactNode }) {
  const leave = useLeave();
  return (
    <div className="flex flex-wrap gap-2 items-center in-[dialog]:justify-end" data-dialog-actions>
      {onCancel !== undefined && (
        // The press leaves the focus where it is: a field that is left shows its problem and would move the button away.
        <Button onMouseDown={(event) => event.preventDefault()} onClick={() => leave(onCancel)}>
          Cancel
        </Button>
      )}
      {children}
    </div>
  );
}
