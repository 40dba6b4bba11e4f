'use client';

import { IconArrowUp, IconPin, IconPinFilled } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Checkbox } from '../field/field.tsx';
import { SortableList } from '../sortable-list/sortable-list.tsx';
import type { TableColumn, TableColumns } from './use-table-columns.ts';

/** A table's columns: which are shown, in which order, and which stay in sight when it scrolls sideways. */
export function ColumnChoices({
  table: { columns, shown, pinned, isChosen, show, pin, reset },
  empty,
}: {
  table: TableColumns<TableColumn>;
  empty: ReadonlySet<string> | undefined;
}) {
  const ids = shown.map(({ id }) => id);
  const choices = useRef<HTMLDivElement>(null);
  const toggled = useRef<string | null>(null);
  const toggle = (id: string) => {
    toggled.current = id;
    show(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]);
  };
  const order = ids.join(' ');
  // A column that is shown or hidden goes to the other list, and the focus with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the columns have changed.
  useEffect(() => {
    const boxes = choices.current?.querySelectorAll<HTMLInputElement>('[data-column] input') ?? [];
    const moved = [...boxes].find((box) => box.closest<HTMLElement>('[data-column]')?.dataset.column === toggled.current);
    toggled.current = null;
    moved?.focus();
  }, [order]);
  const headerOf = (column: string) => columns.find(({ id }) => id === column)?.header ?? column;
  const isFixed = (column: string) => columns.some(({ id, fixed }) => id === column && fixed === true);
  const move = (from: number, to: number) => show(ids.toSpliced(from, 1).toSpliced(to, 0, ids[from] ?? ''));
  const others = columns.filter(({ id }) => !ids.includes(id));
  return (
    <div ref={choices} className="grid gap-2 min-w-[264px] max-h-[70vh] overflow-y-auto">
      <SortableList
        label="Columns shown, in their order"
        keys={ids}
        nameOf={headerOf}
        onMove={move}
        entryClassName="flex items-center gap-2 min-h-7 bg-ground-float"
      >
        {(id, index) => {
          const isPinned = pinned.has(id);
          const Pin = isPinned ? IconPinFilled : IconPin;
          return (
            <>
              <span data-column={id}>
                <Checkbox
                  checked
                  label={empty?.has(id) === true ? `${headerOf(id)} (empty here)` : headerOf(id)}
                  disabled={isFixed(id)}
                  onChange={() => toggle(id)}
                />
              </span>
              <span className="flex ml-auto">
                {index > 0 && pinned.has(ids[index - 1] ?? '') === isPinned && (
                  <button
                    type="button"
                    className="icon-button size-7 rounded-sm text-ink-faint"
                    onClick={() => move(index, index - 1)}
                    aria-label={`Move ${headerOf(id)} up`}
                  >
                    <IconArrowUp size={14} stroke={1.7} aria-hidden="true" />
                  </button>
                )}
                <button
                  type="button"
                  className="icon-button size-7 rounded-sm text-ink-faint"
                  onClick={() => pin(id, !isPinned)}
                  aria-pressed={isPinned}
                  aria-label={`Pin ${headerOf(id)}`}
                  title="Stays in sight at the left when the table is wider than the page"
                >
                  <Pin size={14} stroke={1.7} aria-hidden="true" />
                </button>
              </span>
            </>
          );
        }}
      </SortableList>
      {others.length > 0 && (
        <fieldset className="grid gap-2.5 pt-2 pr-0 pb-1 pl-7 m-0 border-0 border-t border-line" aria-label="Other columns">
          {others.map(({ id, header }) => (
            <span key={id} data-column={id}>
              <Checkbox checked={false} label={header} onChange={() => toggle(id)} />
            </span>
          ))}
        </fieldset>
      )}
      {isChosen && (
        <button type="button" className="pt-1 text-accent-ink text-sm text-left" onClick={reset}>
          Reset to default
        </button>
      )}
    </div>
  );
}
