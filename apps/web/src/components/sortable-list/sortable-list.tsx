'use client';

import { StyleInjector } from '@dnd-kit/dom';
import { DragDropProvider } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import { IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useMemo } from 'react';
import classes from './sortable-list.module.css';

interface SortableListProps {
  /** Names the list to those who do not see it. */
  readonly label: string;
  /** The entries by their keys, in order. */
  readonly keys: readonly string[];
  /** Names an entry: what is moved. */
  readonly nameOf: (key: string) => string;
  /** Both counted from 0; `to` is the place in the list without the entry. */
  readonly onMove: (from: number, to: number) => void;
  /** What stands beside the handle. */
  readonly children: (key: string, index: number) => ReactNode;
  readonly className?: string | undefined;
  readonly entryClassName?: string | undefined;
}

/**
 * A list put in order by dragging its handles: with a pointer, or with the keyboard (Space takes up, arrows move, Space puts down,
 * Escape takes back; Alt with an arrow moves by one at once). Whoever cannot drag needs buttons beside it.
 */
export function SortableList({ label, keys, nameOf, onMove, children, className, entryClassName }: SortableListProps) {
  const withNonce = useMemo(() => StyleInjector.configure({ nonce: pageNonce() }), []);
  return (
    <DragDropProvider
      plugins={(defaults) => [...defaults, withNonce]}
      onDragEnd={({ canceled, operation: { source } }) => {
        if (canceled || !isSortable(source) || source.initialIndex === source.index) return;
        onMove(source.initialIndex, source.index);
      }}
    >
      <ol className={className} aria-label={label}>
        {keys.map((key, index) => (
          <Entry
            key={key}
            id={key}
            index={index}
            last={keys.length - 1}
            name={nameOf(key)}
            onMove={onMove}
            className={entryClassName}
          >
            {children(key, index)}
          </Entry>
        ))}
      </ol>
    </DragDropProvider>
  );
}

function Entry({
  id,
  index,
  last,
  name,
  onMove,
  className,
  children,
}: {
  id: string;
  index: number;
  last: number;
  name: string;
  onMove: (from: number, to: number) => void;
  className: string | undefined;
  children: ReactNode;
}) {
  const { ref, handleRef, isDragging } = useSortable({ id, index });
  function press(event: KeyboardEvent) {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || step === 0) return;
    event.preventDefault();
    const to = index + step;
    if (to >= 0 && to <= last) onMove(index, to);
  }
  return (
    <li ref={ref} className={[classes.entry, className].join(' ')} data-dragging={isDragging}>
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

/** The content policy lets style elements in that carry the page's nonce; browsers give it to scripts alone. */
function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}
