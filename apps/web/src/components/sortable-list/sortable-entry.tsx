'use client';

import { IconGripVertical } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import classes from './sortable-list.module.css';

export interface SortableEntryProps {
  readonly index: number;
  readonly last: number;
  readonly name: string;
  readonly onMove: (from: number, to: number) => void;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** One entry with its handle; Alt with an arrow moves it by one, with dragging or without. */
export function SortableEntry({
  index,
  last,
  name,
  onMove,
  className,
  children,
  entryRef,
  handleRef,
  isDragging = false,
}: SortableEntryProps & {
  entryRef?: Ref<HTMLLIElement>;
  handleRef?: Ref<HTMLButtonElement>;
  isDragging?: boolean;
}) {
  function press(event: KeyboardEvent) {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || step === 0) return;
    event.preventDefault();
    const to = index + step;
    if (to >= 0 && to <= last) onMove(index, to);
  }
  return (
    <li ref={entryRef} className={[classes.entry, className].join(' ')} data-dragging={isDragging}>
      <button
        type="button"
        ref={handleRef}
        className={classes.handle}
        onKeyDown={press}
        aria-label={`Move ${name}`}
        title="Drag, or press Space and then the arrow keys"
      >
        <IconGripVertical size={16} stroke={1.7} aria-hidden="true" />
      </button>
      {children}
    </li>
  );
}
