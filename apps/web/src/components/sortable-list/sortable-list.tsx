'use client';

import { IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { whenIdle } from '#/components/when-idle.ts';
import type { DragHandle } from './dragging.tsx';
import { placeText } from './place-text.ts';
import classes from './sortable-list.module.css';

interface SortableListProps {
  /** The accessible name of the list. */
  readonly label: string;
  /** The entries by their keys, in order. */
  readonly keys: readonly string[];
  /** Names an entry: what is moved. */
  readonly nameOf: (key: string) => string;
  /** Indexes from 0; `to` is the index in the list without the entry. */
  readonly onMove: (from: number, to: number) => void;
  /** The content beside the handle; `moveTo` moves the entry from a button of its own. */
  readonly children: (key: string, index: number, moveTo: (to: number) => void) => ReactNode;
  readonly className?: string | undefined;
  readonly entryClassName?: string | undefined;
}

/**
 * A list put in order by dragging its handles: with a pointer, or with the keyboard (Space takes up, arrows move, Space puts down,
 * Escape takes back; Alt with an arrow moves by one at once). Each move is announced by the entry's name and new place. People who cannot
 * drag need buttons beside it. The code for dragging is loaded once the page is idle.
 */
export function SortableList({ label, keys, nameOf, onMove, children, className, entryClassName }: SortableListProps) {
  const Dragging = useDragging();
  const [dragHandleOf] = useState(createDragHandles);
  const [announcement, setAnnouncement] = useState('');
  const latest = useRef({ nameOf, onMove });
  useLayoutEffect(() => {
    latest.current = { nameOf, onMove };
  });
  const [stable] = useState(() => ({
    nameOf: (key: string) => latest.current.nameOf(key),
    onMove: (from: number, to: number) => latest.current.onMove(from, to),
  }));
  const order = JSON.stringify(keys);
  const stableKeys = useMemo((): readonly string[] => JSON.parse(order), [order]);
  function move(from: number, to: number) {
    const key = keys[from];
    if (key === undefined || to < 0 || to >= keys.length) return;
    setAnnouncement(placeText(nameOf(key), to, keys.length));
    onMove(from, to);
  }
  function press(event: KeyboardEvent, index: number) {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || step === 0) return;
    event.preventDefault();
    move(index, index + step);
  }
  return (
    <>
      <ol className={className} aria-label={label}>
        {keys.map((key, index) => (
          <li key={key} ref={dragHandleOf(key).entry} className={[classes.entry, entryClassName].join(' ')}>
            <button
              type="button"
              ref={dragHandleOf(key).handle}
              className={classes.handle}
              onKeyDown={(event) => press(event, index)}
              aria-label={`Move ${nameOf(key)}`}
              title="Drag, or press Space and then the arrow keys"
            >
              <IconGripVertical size={16} stroke={1.7} aria-hidden="true" />
            </button>
            {children(key, index, (to) => move(index, to))}
          </li>
        ))}
      </ol>
      <p className="sr-only" role="status">
        {announcement}
      </p>
      {Dragging !== null && <Dragging keys={stableKeys} dragHandleOf={dragHandleOf} {...stable} />}
    </>
  );
}

/** The same dragHandle for the same key at every rendering. */
function createDragHandles(): (key: string) => DragHandle {
  const handles = new Map<string, DragHandle>();
  return (key) => {
    const dragHandle = handles.get(key) ?? { entry: { current: null }, handle: { current: null } };
    handles.set(key, dragHandle);
    return dragHandle;
  };
}

const loadDragging = () => import('./dragging.tsx').then((module) => module.Dragging);
type Dragging = Awaited<ReturnType<typeof loadDragging>>;

function useDragging(): Dragging | null {
  const [loaded, setLoaded] = useState<Dragging | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    void whenIdle(gone.signal)
      .then(loadDragging)
      .then(
        (dragging) => !gone.signal.aborted && setLoaded(() => dragging),
        // Without it the list is moved by Alt and the arrows.
        () => undefined,
      );
    return () => gone.abort();
  }, []);
  return loaded;
}
