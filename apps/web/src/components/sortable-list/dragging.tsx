'use client';

import { StyleInjector } from '@dnd-kit/dom';
import { DragDropProvider } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import { type RefObject, useEffect, useMemo } from 'react';

/** The drag handle, and the element that moves with it. */
export interface DragHandle {
  readonly entry: RefObject<HTMLLIElement | null>;
  readonly handle: RefObject<HTMLButtonElement | null>;
}

/** Makes the entries of a list draggable by their handles; draws nothing, so that they stay as they are when it comes. */
export function Dragging({
  keys,
  dragHandleOf,
  onMove,
}: {
  keys: readonly string[];
  dragHandleOf: (key: string) => DragHandle;
  onMove: (from: number, to: number) => void;
}) {
  const withNonce = useMemo(() => StyleInjector.configure({ nonce: pageNonce() }), []);
  return (
    <DragDropProvider
      plugins={(defaults) => [...defaults, withNonce]}
      onDragEnd={({ canceled, operation: { source } }) => {
        if (canceled || !isSortable(source) || source.initialIndex === source.index) return;
        onMove(source.initialIndex, source.index);
      }}
    >
      {keys.map((key, index) => (
        <Entry key={key} id={key} index={index} dragHandle={dragHandleOf(key)} />
      ))}
    </DragDropProvider>
  );
}

function Entry({ id, index, dragHandle }: { id: string; index: number; dragHandle: DragHandle }) {
  const { isDragging } = useSortable({ id, index, element: dragHandle.entry, handle: dragHandle.handle });
  useEffect(() => {
    dragHandle.entry.current?.setAttribute('data-dragging', String(isDragging));
  }, [dragHandle, isDragging]);
  return null;
}

/** The content policy lets style elements in that carry the page's nonce; browsers give it to scripts alone. */
function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}
