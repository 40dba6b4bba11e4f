import { type ResolveCursorConnectionArgs, resolveCursorConnection } from '@pothos/plugin-relay';
import { isUuid } from '@switchyard/db';
import { readTimePage, type TenantList, type TimeKey, type TimePage } from '@switchyard/db/lists';
import { isInRange } from '@switchyard/db/moments';
import type { Permission } from '@switchyard/staff/permissions';
import { createGraphQLError } from 'graphql-yoga';
import type { builder, GraphqlContext } from '../builder.ts';
import { checkedPage, type PageArguments, requestedMerchants, uuids } from '../inputs.ts';
import { Mode } from '../types/enums.ts';

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

const RADIX = 36;

/** An opaque cursor: the milliseconds, then the id. A page makes one for each row. */
export function toCursor({ createdAt, id }: TimeKey): string {
  return `${createdAt.getTime().toString(RADIX)}.${id}`;
}

/** Parses a cursor; throws for any text that this module did not write. */
export function fromCursor(cursor: string): TimeKey {
  const dot = cursor.indexOf('.');
  const key = { createdAt: new Date(Number.parseInt(cursor.slice(0, dot), RADIX)), id: cursor.slice(dot + 1) };
  // Accept exactly the text this module writes; no row is older than 1970.
  if (key.createdAt.getTime() >= 0 && isInRange(key.createdAt) && isUuid(key.id) && toCursor(key) === cursor) return key;
  throw createGraphQLError('This cursor is not one of ours.', { extensions: { code: 'BAD_CURSOR' } });
}

interface ListFilterInput<State extends string> {
  readonly merchantIds?: readonly (string | number)[] | null | undefined;
  readonly mode: 'test' | 'live';
  readonly createdFrom?: Date | null | undefined;
  readonly createdTo?: Date | null | undefined;
  readonly states?: readonly State[] | null | undefined;
}

/** Common part of the filters of these lists, of merchants the viewer may read. */
export function filterOf<State extends string>(
  { viewer }: GraphqlContext,
  permission: Permission,
  input: ListFilterInput<State>,
) {
  return {
    merchantIds: requestedMerchants(viewer, permission, input),
    mode: input.mode,
    createdFrom: input.createdFrom ?? null,
    createdTo: input.createdTo ?? null,
    states: input.states ?? [],
  };
}

/** Fields of an input type while it is defined. */
type InputFields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

/** Fields of the filter of each list by when its rows were recorded. */
export const scopeFields = (t: InputFields) => ({
  mode: t.field({ type: Mode, required: true, description: 'Test or live.' }),
  merchantIds: t.idList({ description: 'Merchants; all that the caller may read when omitted.', validate: uuids }),
  createdFrom: t.field({ type: 'DateTime', description: 'Created at this time or later.' }),
  createdTo: t.field({ type: 'DateTime', description: 'Created before this time.' }),
});
