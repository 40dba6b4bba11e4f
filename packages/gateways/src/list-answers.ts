import type { AccountAccess, ListPage, ListQuery, Outcome } from './gateway.ts';
import type { WireReply } from './http.ts';
import { callNotMade, failure, protocolViolation, toLookupFailure } from './outcomes.ts';

type Answer = Extract<WireReply, { kind: 'answer' }>;
type Unknown = Extract<Outcome<never>, { outcome: 'unknown' }>;

/** A page that the gateway answered, or the outcome when there is none. */
export type FetchedPage =
  | { readonly kind: 'answered'; readonly reply: Answer; readonly page: number }
  | { readonly kind: 'failed'; readonly outcome: Unknown };

/** Where a list is, for the record, and how a page of it is fetched. */
interface NumberedList {
  readonly title: string;
  readonly url: string;
  /** Fetches a page; the first is 1. */
  fetch(page: number): Promise<WireReply>;
}

/** Fetches the page that the cursor names, of a list whose pages have numbers. */
export async function fetchNumberedPage({ title, url, fetch }: NumberedList, { cursor }: ListQuery): Promise<FetchedPage> {
  const page = pageNumber(cursor);
  if (page === null) return { kind: 'failed', outcome: unknownCursor(title, url) };
  const reply = await fetch(page);
  if (reply.kind === 'failed') return { kind: 'failed', outcome: toLookupFailure(reply.failed, reply.call) };
  return { kind: 'answered', reply, page };
}

/** The page number of a cursor, or null when the cursor is not one of ours. */
function pageNumber(cursor: string | null): number | null {
  if (cursor === null) return 1;
  return /^[1-9]\d{0,5}$/.test(cursor) ? Number(cursor) : null;
}

/** The outcome of a list asked with a cursor of another list: nothing was called. */
export function unknownCursor(title: string, url: string): Unknown {
  const reason = failure('our_configuration', 'request_rejected', `${title} gave no page with that cursor.`);
  return { outcome: 'unknown', failure: reason, call: callNotMade('GET', url) };
}

/**
 * One numbered page as an outcome. `rows` is null when a row could not be read. A page with another number than the requested one
 * would repeat or skip rows, so it is a protocol violation too.
 */
export function pageOutcome<T extends { readonly createdAt: Date }>(
  title: string,
  reply: Answer,
  query: ListQuery,
  page: { readonly asked: number; readonly given: number; readonly last: number; readonly rows: readonly T[] | null },
): Outcome<ListPage<T>> {
  if (page.rows === null || page.given !== page.asked) return toLookupFailure(protocolViolation(title, reply), reply.call);
  const rows = page.rows.filter((row) => row.createdAt >= query.from && row.createdAt < query.to);
  const nextCursor = page.asked < page.last ? String(page.asked + 1) : null;
  return { outcome: 'yes', value: { rows, nextCursor }, call: reply.call };
}

/** All rows read, or null as soon as one cannot be. */
export function readRows<Row, T>(rows: readonly Row[], read: (row: Row) => T | null): readonly T[] | null {
  const values: T[] = [];
  for (const row of rows) {
    const value = read(row);
    if (value === null) return null;
    values.push(value);
  }
  return values;
}

/** A time from the wire, or null when the text is none. */
export function readTime(text: string | null | undefined): Date | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time);
}

/** True if rows of this domain belong to the other mode; rows without a domain are taken as the account's. */
export function isOtherMode(domain: string | null | undefined, account: AccountAccess): boolean {
  return (domain === 'test' || domain === 'live') && domain !== account.mode;
}
