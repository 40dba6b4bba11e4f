'use client';

import { type ComponentType, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { SortableEntry } from './sortable-entry.tsx';

export interface SortableListProps {
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
 * Escape takes back; Alt with an arrow moves by one at once). Whoever cannot drag needs buttons beside it. What dragging needs is
 * fetched once the page has come to rest.
 */
export function SortableList(props: SortableListProps) {
  const list = useRef<HTMLOListElement>(null);
  const Dragging = useDragging(list);
  const { label, keys, nameOf, onMove, children, className, entryClassName } = props;
  if (Dragging !== null) return <Dragging {...props} />;
  return (
    <ol ref={list} className={className} aria-label={label}>
      {keys.map((key, index) => (
        <SortableEntry
          key={key}
          index={index}
          last={keys.length - 1}
          name={nameOf(key)}
          onMove={onMove}
          className={entryClassName}
        >
          {children(key, index)}
        </SortableEntry>
      ))}
    </ol>
  );
}

type List = ComponentType<SortableListProps>;

/** The list that can be dragged, once it is here and nobody is at work in the one that cannot: the focus would be lost. */
function useDragging(list: RefObject<HTMLElement | null>): List | null {
  const [loaded, setLoaded] = useState<List | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    const takeOver = (dragging: List) => {
      if (gone.signal.aborted) return;
      const here = list.current;
      if (!here?.contains(document.activeElement)) setLoaded(() => dragging);
      else here.addEventListener('focusout', () => queueMicrotask(() => takeOver(dragging)), { once: true, signal: gone.signal });
    };
    void pageAtRest(gone.signal)
      .then(() => import('./dragging-list.tsx'))
      // Without it the list is moved by Alt and the arrows.
      .then(
        ({ DraggingList }) => takeOver(DraggingList),
        () => undefined,
      );
    return () => gone.abort();
  }, [list]);
  return loaded;
}

function pageAtRest(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const idle = () => ('requestIdleCallback' in window ? requestIdleCallback(() => resolve()) : setTimeout(resolve, 200));
    if (document.readyState === 'complete') idle();
    else window.addEventListener('load', idle, { once: true, signal });
  });
}
