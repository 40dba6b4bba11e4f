'use client';

import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { LeaveGuardContext, UnsavedQuestion, useLeaveGuard } from '#/leaving/leave-guard.tsx';
import classes from './side-panel.module.css';
import withPanelClasses from './with-panel.module.css';

/** Navigation through the list that a panel was opened from. */
interface Steps {
  /** The open entry, and the list it was opened from; it need not be in it. */
  readonly id: string;
  readonly ids: readonly string[];
  /** Labels of the previous and the next entry: `Newer entry`, `Older entry`. */
  readonly words: readonly [previous: string, next: string];
  readonly onOpen: (id: string) => void;
}

interface SidePanelProps {
  /** The accessible name of the panel. */
  readonly label: string;
  /** The content of the fixed head; text becomes the heading. */
  readonly title?: ReactNode;
  readonly steps?: Steps;
  /** Further tools in the head, before the cross. */
  readonly tools?: ReactNode;
  /** Actions of single keys while the panel has the focus and nothing is being typed, beside Escape, `j` and `k`. */
  readonly keys?: Readonly<Record<string, () => void>>;
  /** The attribute, with its value, of what the panel was opened with: the focus goes back there. */
  readonly from?: readonly [attribute: string, value: string];
  /** The content has its own margins. */
  readonly bare?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * One thing beside the list it is in. It takes the focus when it opens, and begins at its top: give it the thing's id as `key`,
 * so that
 * another thing is another panel. Escape closes it, `j` and `k` go through the list; they ask first while a form in it has unsaved
 * input.
 */
export function SidePanel({ label, title, steps, tools, keys, from, bare = false, onClose, children }: SidePanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const at = steps?.ids.indexOf(steps.id) ?? -1;
  const previous = at > 0 ? steps?.ids[at - 1] : undefined;
  const next = at >= 0 ? steps?.ids[at + 1] : undefined;
  const question = useLeaveGuard();
  const open = (id: string) => question.guard.leave(() => steps?.onOpen(id));

  function close() {
    question.guard.leave(closeNow);
  }

  function closeNow() {
    onClose();
    if (from === undefined) return;
    const [attribute, value] = from;
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[${attribute}="${CSS.escape(value)}"]`)?.focus());
  }

  function press(event: KeyboardEvent) {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isOutside(event.target)) return;
    const act = keys?.[event.key];
    if (event.key === 'Escape') close();
    else if (event.key === 'j' && next !== undefined) open(next);
    else if (event.key === 'k' && previous !== undefined) open(previous);
    else if (act !== undefined) act();
    else return;
    event.preventDefault();
  }

  return (
    <aside className={classes.panel} ref={panel} tabIndex={-1} aria-label={label} onKeyDown={press}>
      <div className={classes.head}>
        {steps !== undefined && (
          <>
            <Step label={`${steps.words[0]} (k)`} to={previous} onOpen={open} icon={IconChevronUp} />
            <Step label={`${steps.words[1]} (j)`} to={next} onOpen={open} icon={IconChevronDown} />
          </>
        )}
        {typeof title === 'string' ? (
          <h2 className="flex-1 min-w-0 text-lg font-semibold truncate">{title}</h2>
        ) : (
          <div className="flex-1 min-w-0">{title}</div>
        )}
        {tools}
        <button type="button" className={classes.button} onClick={close} aria-label="Close (Esc)" title="Close (Esc)">
          <IconX size={18} stroke={1.7} aria-hidden="true" />
        </button>
      </div>
      <UnsavedQuestion question={question} />
      <LeaveGuardContext value={question.guard}>
        {bare ? children : <div className={classes.body}>{children}</div>}
      </LeaveGuardContext>
    </aside>
  );
}

/** The class of a button in the panel's head. */
export const panelToolClass = classes.button;

/** A part of what is shown, under its own heading. */
export function PanelPart({ title, label = title, action, children }: PanelPartProps) {
  return (
    <section className={classes.part} aria-label={label}>
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-sm font-semibold">{title}</h3>
        {action}
      </div>
      {children}
    </section>
  );
}

interface PanelPartProps {
  readonly title: string;
  readonly label?: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** Placeholder while the content is loading. */
export function PanelSkeleton({ label }: { label: string }) {
  return (
    <div className={classes.waiting} role="status" aria-label={label}>
      <span />
      <span />
      <span />
      <span />
    </div>
  );
}

function Step({
  label,
  to,
  onOpen,
  icon: Glyph,
}: {
  label: string;
  to: string | undefined;
  onOpen: (id: string) => void;
  icon: typeof IconX;
}) {
  return (
    <button
      type="button"
      className={classes.button}
      disabled={to === undefined}
      onClick={() => to !== undefined && onOpen(to)}
      aria-label={label}
      title={label}
    >
      <Glyph size={18} stroke={1.7} aria-hidden="true" />
    </button>
  );
}

/** True if a key is meant for something else: text that is being typed, or a dialog over the panel. */
function isOutside(target: EventTarget): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName)) return true;
  if (target instanceof HTMLInputElement && !/^(checkbox|radio|button)$/.test(target.type)) return true;
  return target.closest('dialog[open]') !== null;
}

/**
 * A page with what is open on it: beside it in a wide window, over it in a narrow one.
 *
 * `wide` is for panels that hold charts and tables of their own.
 */
export function WithPanel({
  panel,
  label,
  wide = false,
  children,
}: {
  /** Null or false while nothing is open. */
  panel: ReactNode;
  label?: string;
  wide?: boolean;
  children: ReactNode;
}) {
  const open = panel !== null && panel !== undefined && panel !== false;
  return (
    <div className={withPanelClasses.page} data-panel={open} data-wide={wide}>
      {label === undefined ? (
        <div className={withPanelClasses.main}>{children}</div>
      ) : (
        <section className={withPanelClasses.main} aria-label={label}>
          {children}
        </section>
      )}
      {panel}
    </div>
  );
}
