import { pointerOf } from './present.ts';
import type { ListQuery } from './wire.ts';

interface Listed {
  readonly id: number;
  readonly currency: string;
  readonly createdAt: string;
}

/** A page of a list by pointers: the records right after one, or right before one. An unknown pointer is at the list's end. */
export function pageOf<T extends Listed>(
  newestFirst: readonly T[],
  query: ListQuery,
): { records: readonly T[]; hasMore: boolean } {
  const all = newestFirst.filter((record) => isWithin(record, query));
  const { limit, starting_after: after, ending_before: before } = query;
  if (before !== undefined) {
    const end = Math.max(0, indexOf(all, before));
    const start = Math.max(0, end - limit);
    return { records: all.slice(start, end), hasMore: start > 0 };
  }
  const start = after === undefined ? 0 : indexOf(all, after) + 1;
  return { records: all.slice(start, start + limit), hasMore: start + limit < all.length };
}

function indexOf(records: readonly Listed[], pointer: string): number {
  const at = records.findIndex((record) => pointerOf(record) === pointer);
  return at === -1 ? records.length : at;
}

/** Both ends are included, to the second. */
function isWithin({ currency, createdAt }: Listed, query: ListQuery): boolean {
  const second = Math.floor(Date.parse(createdAt) / 1000) * 1000;
  return (
    (query.currency === undefined || currency === query.currency) &&
    (query.date_from === undefined || second >= query.date_from) &&
    (query.date_to === undefined || second <= query.date_to)
  );
}
