import { parseAsArrayOf, parseAsString } from 'nuqs/server';

/** The order of a list: the id of a column, and whether its greatest value comes first. */
export interface ListSort {
  readonly by: string;
  readonly descending: boolean;
}

/** An order that a list can have, with its title where its id is not the word. */
export type ListOrder = ListSort & { readonly title?: string };

/** The columns of a saved view in the URL, `columns=status,amount`; none for those that the viewer chose. */
export const columnsParser = { columns: parseAsArrayOf(parseAsString).withDefault([]) };

/** The order of a list in the URL: `sort=amount`, `sort=-amount` for the greatest first. */
export const listParsers = {
  /** Empty for the default order. */
  sort: parseAsString.withDefault(''),
};

/** The order that the URL names, where the list has it; else the list's first one. */
export function readSort(sort: string, orders: readonly [ListSort, ...ListSort[]]): ListSort {
  const by = sort.replace(/^-/, '');
  return orders.some((order) => order.by === by) ? { by, descending: sort.startsWith('-') } : orders[0];
}

/** An order as the URL names it; null for the list's first one. */
export function writeSort({ by, descending }: ListSort, [first]: readonly [ListSort, ...ListSort[]]): string | null {
  if (by === first.by && descending === first.descending) return null;
  return descending ? `-${by}` : by;
}
