'use client';

import { IconArrowUp } from '@tabler/icons-react';
import { Checkbox } from '../field/field.tsx';
import { Select } from '../select/select.tsx';
import { SortableList } from '../sortable-list/sortable-list.tsx';
import type { ListSort } from './list-parsers.ts';
import classes from './list-tools.module.css';
import type { ListState } from './use-list.ts';

/** The list's columns and their order. The URL holds the choice. */
export function ColumnChoices({ list }: { list: ListState }) {
  const { definition, shown, isChosen, setColumns } = list;
  const { columns } = definition;
  const { orders = [] } = definition;
  const titleOf = (column: string) =>
    columns.find(({ id }) => id === column)?.title ?? orders.find(({ by }) => by === column)?.title ?? column;
  const isFixed = (column: string) => columns.some(({ id, fixed }) => id === column && fixed === true);
  const move = (from: number, to: number) => setColumns([...shown].toSpliced(from, 1).toSpliced(to, 0, shown[from] ?? ''));
  const others = columns.filter(({ id }) => !shown.includes(id));
  return (
    <div className={classes.columns}>
      <SortChoice list={list} titleOf={titleOf} />
      {columns.length > 0 && (
        <SortableList
          label="Columns shown, in their order"
          keys={shown}
          nameOf={titleOf}
          onMove={move}
          entryClassName={classes.column}
        >
          {(id, index) => (
            <>
              <Checkbox
                checked
                label={titleOf(id)}
                disabled={isFixed(id)}
                onChange={() => setColumns(shown.filter((each) => each !== id))}
              />
              {index > 0 && (
                <button
                  type="button"
                  className={classes.remove}
                  onClick={() => move(index, index - 1)}
                  aria-label={`Move ${titleOf(id)} up`}
                >
                  <IconArrowUp size={14} stroke={1.7} aria-hidden="true" />
                </button>
              )}
            </>
          )}
        </SortableList>
      )}
      {others.length > 0 && (
        <fieldset className="grid gap-2.5 pt-2 pr-0 pb-1 pl-7 m-0 border-0 border-t border-line" aria-label="Other columns">
          {others.map(({ id, title }) => (
            <Checkbox key={id} checked={false} label={title} onChange={() => setColumns([...shown, id])} />
          ))}
        </fieldset>
      )}
      {isChosen && (
        <button type="button" className="pt-1 text-accent-ink text-sm text-left" onClick={() => setColumns(null)}>
          Reset to default
        </button>
      )}
    </div>
  );
}

/** The order of the list: rows shown as cards on a phone have no headers to sort by. */
function SortChoice({ list: { definition, sort, setSort }, titleOf }: { list: ListState; titleOf: (column: string) => string }) {
  const { orders } = definition;
  if (orders === undefined || sort === undefined) return null;
  const choices = orders.flatMap(({ by, descending }) => [
    { by, descending },
    { by, descending: !descending },
  ]);
  const keyOf = (order: ListSort) => `${order.descending ? '-' : ''}${order.by}`;
  return (
    <div className="not-last:pb-2 not-last:border-b not-last:border-line">
      <Select
        label="Sort by"
        options={choices.map((choice) => ({
          value: keyOf(choice),
          label: `${titleOf(choice.by)}, ${choice.descending ? 'descending' : 'ascending'}`,
        }))}
        value={keyOf(sort)}
        onChange={(key) => {
          const chosen = choices.find((choice) => keyOf(choice) === key);
          if (chosen !== undefined) setSort(chosen);
        }}
      />
    </div>
  );
}
