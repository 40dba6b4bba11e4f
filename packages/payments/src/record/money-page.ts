import type { ListOrder, SortedPage, TimeKey } from '@switchyard/db/lists';

/** Order of a list of payments or refunds; rows with the same value are sorted by their ids. */
export interface MoneyOrder {
  readonly by: 'created' | 'amount';
  readonly descending: boolean;
}

export const NEWEST_FIRST: MoneyOrder = { by: 'created', descending: true };

/** The position of a row in a list of payments or refunds. */
export interface MoneyKey extends TimeKey {
  /** Whole main units; needed where the list is sorted by amount. */
  readonly amount: bigint | null;
}

/** The part of a list that a page shows. */
export interface MoneyPagePart {
  /** The last row of the previous page; where it names no amount and the list is sorted by it, the page begins at the beginning. */
  readonly after: MoneyKey | null;
  readonly limit: number;
  /** {@link NEWEST_FIRST} where it is left out. */
  readonly sort?: MoneyOrder | undefined;
}

/** The page of rows that follows another, in the order wanted. */
export function moneyPage({ after, limit, sort = NEWEST_FIRST }: MoneyPagePart): SortedPage {
  const order = orderOf(sort);
  const value = sort.by === 'created' ? after?.createdAt : after?.amount;
  const place = after === null || value === null || value === undefined ? null : { value, id: after.id };
  return { sort: order, after: place, before: null, limit };
}

function orderOf({ by, descending }: MoneyOrder): ListOrder {
  switch (by) {
    case 'created':
      return { column: 'created_at', type: 'timestamptz', descending };
    case 'amount':
      return { column: 'amount', type: 'int8', descending };
    default:
      return by satisfies never;
  }
}

/** `ORDER BY` of the rows of a page, whose table is `p`. */
export function orderClause({ by, descending }: MoneyOrder = NEWEST_FIRST): string {
  const direction = descending ? 'DESC' : 'ASC';
  return `ORDER BY p.${by === 'created' ? 'created_at' : 'amount'} ${direction}, p.id ${direction}`;
}

/** Where the page after these rows begins; null on the last. `rows` holds one more than the page shows, if there is one. */
export function nextMoneyKey<Row>(rows: readonly Row[], limit: number, keyOf: (row: Row) => MoneyKey): MoneyKey | null {
  const last = rows.slice(0, limit).at(-1);
  return rows.length > limit && last !== undefined ? keyOf(last) : null;
}

/** A page of a list with the cursor of the next one, null on the last. */
export interface MoneyPage<Item> {
  readonly items: readonly Item[];
  readonly next: MoneyKey | null;
}
