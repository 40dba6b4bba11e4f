'use client';

import { Accessibility, type Draggable, StyleInjector } from '@dnd-kit/dom';
import { DragDropProvider } from '@dnd-kit/react';
import { isSortable, useSortable } from '@dnd-kit/react/sortable';
import { memo, type RefObject, useEffect, useMemo, useRef } from 'react';
import { placeText } from './place-text.ts';

/** The drag handle, and the element that moves with it. */
export interface DragHandle {
  readonly entry: RefObject<HTMLLIElement | null>;
  readonly handle: RefObject<HTMLButtonElement | null>;
}

/**
 * Makes the entries of a list draggable by their handles; draws nothing, so that they stay as they are when it comes. Only another order
 * renders it again: it would cost each key that is typed in an entry.
 */
export const Dragging = memo(function DraggableEntries({
  keys,
  nameOf,
  dragHandleOf,
  onMove,
}: {
  keys: readonly string[];
  nameOf: (key: string) => string;
  dragHandleOf: (key: string) => DragHandle;
  onMove: (from: number, to: number) => void;
}) {
  const latest = useRef({ keys, nameOf });
  useEffect(() => {
    latest.current = { keys, nameOf };
  });
  const configured = useMemo(
    () => [
      StyleInjector.configure({ nonce: pageNonce() }),
      Accessibility.configure({
        announcements: announcementsOf(() => latest.current),
        screenReaderInstructions: { draggable: INSTRUCTIONS },
      }),
    ],
    [],
  );
  return (
    <DragDropProvider
      plugins={(defaults) => [...defaults, ...configured]}
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
});

const INSTRUCTIONS =
  'Space takes the entry up, the arrow keys move it, Space puts it down and Escape takes it back. Alt with an arrow key moves it by one.';

/** Announcements that name entries as the list does; without them, dnd-kit reads their keys. */
function announcementsOf(list: () => { readonly keys: readonly string[]; readonly nameOf: (key: string) => string }) {
  const at = (source: Draggable | null, of: 'index' | 'initialIndex') =>
    isSortable(source) ? placeText(list().nameOf(String(source.id)), source[of], list().keys.length) : undefined;
  interface Operation {
    readonly operation: { readonly source: Draggable | null };
  }
  return {
    dragstart: ({ operation: { source } }: Operation) => withPrefix('Taken up. ', at(source, 'index')),
    dragmove: ({ operation: { source } }: Operation) => at(source, 'index'),
    dragend: ({ operation: { source }, canceled }: Operation & { readonly canceled: boolean }) =>
      canceled ? withPrefix('Taken back. ', at(source, 'initialIndex')) : withPrefix('Put down. ', at(source, 'index')),
  };
}

function withPrefix(prefix: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `${prefix}${text}`;
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
