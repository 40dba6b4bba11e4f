import { type inferParserType, parseAsArrayOf, parseAsString } from 'nuqs/server';

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

/** Parsers of a page's address: each names a filter, and says what it is while the address does not. */
type Parsers = Parameters<typeof import('nuqs/server').createLoader>[0];

type ReadOnly<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
type Changeable<Value> = Value extends readonly (infer Item)[] ? Item[] : Value;

/** The filters of a page as its parsers read them. */
export type FiltersOf<Read extends Parsers> = {
  readonly [Name in keyof inferParserType<Read>]: ReadOnly<inferParserType<Read>[Name]>;
};

/** A change of filters; null clears one. */
export type ChangeOf<Filters> = { [Name in keyof Filters]?: Changeable<Filters[Name]> | null };

/** True if any of these filters leaves something out: a list with values, a text, a number, a switch that is on. */
export function isAnySet(filters: object, names: readonly string[] = Object.keys(filters)): boolean {
  return Object.entries(filters).some(([name, value]) => names.includes(name) && isSet(value));
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'string' ? value.trim() !== '' : value !== null && value !== false;
}
