import { type ResolveCursorConnectionArgs, resolveCursorConnection } from '@pothos/plugin-relay';
import { readTimePage, type TenantList, type TimeKey, type TimePage } from '@switchyard/db/lists';
import type { GraphqlContext } from '../builder.ts';
import { fromCursor, toCursor } from '../cursors.ts';
import { checkedPage, type PageArguments } from '../inputs.ts';

/** The rows of a page, for the row's model. */
export interface PageRows {
  readonly where: { readonly merchantId: { readonly in: string[] }; readonly id: { readonly in: string[] } };
  readonly orderBy: { readonly createdAt?: 'asc' | 'desc'; readonly id?: 'asc' | 'desc' }[];
}

/**
 * A page of a list sorted by time. Its rows are found by an index, and `find` reads what is requested of them, in the
 * direction of the page. Throws BAD_USER_INPUT for a size out of range and BAD_CURSOR for a foreign cursor.
 */
export function readPage<Row extends TimeKey>(
  { reports, signal }: GraphqlContext,
  list: TenantList & { readonly newestFirst?: boolean },
  args: PageArguments,
  find: (rows: PageRows, direction: 'asc' | 'desc') => Promise<Row[]>,
) {
  const { newestFirst = true, ...rest } = list;
  return resolveCursorConnection(
    { ...checkedPage(args), toCursor: (row: Row) => toCursor(row) },
    async (place: ResolveCursorConnectionArgs) => {
      const rows = await readTimePage(reports, rest, toTimePage(place, newestFirst), signal);
      const direction = newestFirst === place.inverted ? 'asc' : 'desc';
      const where = {
        merchantId: { in: [...new Set(rows.map(({ merchantId }) => merchantId))] },
        id: { in: rows.map(({ id }) => id) },
      };
      return find({ where, orderBy: [{ createdAt: direction }, { id: direction }] }, direction);
    },
  );
}

/** Pages from the end are read backwards, and turned around by the connection. */
function toTimePage({ before, after, limit, inverted }: ResolveCursorConnectionArgs, newestFirst: boolean): TimePage {
  const first = after === undefined ? null : fromCursor(after);
  const last = before === undefined ? null : fromCursor(before);
  if (inverted) return { after: last, before: first, newestFirst: !newestFirst, limit };
  return { after: first, before: last, newestFirst, limit };
}
