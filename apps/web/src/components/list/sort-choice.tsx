'use client';

import { Select } from '../select/select.tsx';
import type { ListSort } from './list-parsers.ts';
import type { ListState } from './use-list.ts';

/** The order of a list whose rows have no headers to sort by: cards, as on a phone. */
export function SortChoice({ list: { definition, sort, setSort } }: { list: ListState }) {
  const { orders } = definition;
  if (orders === undefined || sort === undefined) return null;
  const choices = orders.flatMap(({ by, descending, title = wordOf(by) }) => [
    { by, descending, title },
    { by, descending: !descending, title },
  ]);
  const keyOf = (order: ListSort) => `${order.descending ? '-' : ''}${order.by}`;
  return (
    <Select
      label="Sort by"
      options={choices.map((choice) => ({
        value: keyOf(choice),
        label: `${choice.title}, ${choice.descending ? 'descending' : 'ascending'}`,
      }))}
      value={keyOf(sort)}
      onChange={(key) => {
        const chosen = choices.find((choice) => keyOf(choice) === key);
        if (chosen !== undefined) setSort({ by: chosen.by, descending: chosen.descending });
      }}
    />
  );
}

function wordOf(id: string): string {
  return id.charAt(0).toUpperCase() + id.slice(1);
}
