'use client';

import { StyleInjector } from '@dnd-kit/dom';
import { DragDropProvider } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import { useMemo } from 'react';
import { SortableEntry, type SortableEntryProps } from './sortable-entry.tsx';
import type { SortableListProps } from './sortable-list.tsx';

/** The list of {@link SortableList} once dragging is there: with a pointer, or by Space and the arrow keys. */
export function DraggingList({ label, keys, nameOf, onMove, children, className, entryClassName }: SortableListProps) {
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

function Entry({ id, ...entry }: SortableEntryProps & { id: string }) {
  const { ref, handleRef, isDragging } = useSortable({ id, index: entry.index });
  return <SortableEntry {...entry} entryRef={ref} handleRef={handleRef} isDragging={isDragging} />;
}

/** The content policy lets style elements in that carry the page's nonce; browsers give it to scripts alone. */
function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}
