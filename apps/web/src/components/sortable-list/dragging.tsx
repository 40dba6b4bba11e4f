'use client';

import { StyleInjector } from '@dnd-kit/dom';
import { DragDropProvider } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import { useEffect, useMemo } from 'react';
import type { Grip } from './grip';

/** Makes the entries of a list draggable by their grips; draws nothing, so that they stay as they are when it comes. */
export function Dragging({
  keys,
  gripOf,
  onMove,
}: {
  keys: readonly string[];
  gripOf: (key: string) => Grip;
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
        <Entry key={key} id={key} index={index} grip={gripOf(key)} />
      ))}
    </DragDropProvider>
  );
}

function Entry({ id, index, grip }: { id: string; index: number; grip: Grip }) {
  const { isDragging } = useSortable({ id, index, element: grip.entry, handle: grip.handle });
  useEffect(() => {
    grip.entry.current?.setAttribute('data-dragging', String(isDragging));
  }, [grip, isDragging]);
  return null;
}

/** The content policy lets style elements in that carry the page's nonce; browsers give it to scripts alone. */
function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}
