import type { z } from 'zod';
import { readSuccess, toUndecided } from './answers.ts';
import type { Failure, ListPage, ListQuery, Outcome } from './gateway.ts';
import type { GatewayApi } from './gateway-api.ts';
import type { WireReply } from './http.ts';
import { callNotMade, failure, protocolViolation, toLookupFailure } from './outcomes.ts';
import type { Redactor } from './redact.ts';

/** Place in a list: a page by its number, or the one that a token of the gateway's leads to. */
export interface ListPlace {
  /** The first is 1. */
  readonly page: number;
  readonly token: string | null;
}

/** The page to read next; null at the end. `contradiction`: what the page says of its place cannot be, so rows would be missed or repeated. */
export type NextPage = { readonly page: number } | { readonly token: string } | null | 'contradiction';

/** A page as a gateway answered it; `rows` is null where one could not be read. */
export type PageReading<T> =
  | { readonly rows: readonly T[] | null; readonly next: NextPage }
  /** Well-formed rows that cannot be the account's. */
  | { readonly failure: Failure };

interface GatewayList<Schema extends z.ZodType, T> {
  readonly path: string;
  /** Cursors that carry a token begin with it, so that nothing else is ever sent as one. */
  readonly mark?: string;
  readonly schema: Schema;
  fetchPage(place: ListPlace): Promise<WireReply>;
  read(body: z.output<Schema>, place: ListPlace, redactor: Redactor): PageReading<T>;
}

/** The page that the query's cursor leads to, without the rows outside its period. */
export async function readPage<Schema extends z.ZodType, T extends { readonly createdAt: Date }>(
  api: GatewayApi,
  { cursor, from, to }: ListQuery,
  list: GatewayList<Schema, T>,
): Promise<Outcome<ListPage<T>>> {
  const page = await readWholePage(api, cursor, list);
  if (page.outcome !== 'yes') return page;
  const rows = page.value.rows.filter((row) => row.createdAt >= from && row.createdAt < to);
  return { ...page, value: { ...page.value, rows } };
}

/** The page that the cursor leads to. */
export async function readWholePage<Schema extends z.ZodType, T>(
  api: GatewayApi,
  cursor: string | null,
  { path, mark, schema, fetchPage, read }: GatewayList<Schema, T>,
): Promise<Outcome<ListPage<T>>> {
  const place = readCursor(cursor, mark);
  if (place === null) {
    const reason = failure('our_configuration', 'request_rejected', `${api.title} gave no page with that cursor.`);
    return { outcome: 'unknown', failure: reason, call: callNotMade('GET', api.baseUrl + path) };
  }
  const reply = await fetchPage(place);
  if (reply.kind === 'failed') return toLookupFailure(reply.failed, reply.call);
  const body = readSuccess(schema, reply);
  if (body === null) return toUndecided(api, reply);
  const page = read(body, place, reply.redactor);
  if ('failure' in page) return { outcome: 'unknown', failure: page.failure, call: reply.call };
  const { rows, next } = page;
  const leadsBack = typeof next === 'object' && next !== null && 'token' in next && next.token === place.token;
  if (rows === null || next === 'contradiction' || leadsBack) {
    return toLookupFailure(protocolViolation(api.title, reply), reply.call);
  }
  return { outcome: 'yes', value: { rows, nextCursor: toCursor(next, mark) }, call: reply.call };
}

function readCursor(cursor: string | null, mark: string | undefined): ListPlace | null {
  if (cursor === null) return { page: 1, token: null };
  if (/^[1-9]\d{0,5}$/.test(cursor)) return { page: Number(cursor), token: null };
  const token = mark !== undefined && cursor.startsWith(`${mark}:`) ? cursor.slice(mark.length + 1) : '';
  return /^[\x21-\x7e]{1,1000}$/.test(token) ? { page: 1, token } : null;
}

function toCursor(next: Exclude<NextPage, 'contradiction'>, mark: string | undefined): string | null {
  if (next === null) return null;
  return 'page' in next ? String(next.page) : `${mark}:${next.token}`;
}

/** Next page by the number of this one, which must be the one that was asked for, and the number of pages. */
export function nextNumber({ page }: ListPlace, given: number, pages: number): NextPage {
  if (given !== page) return 'contradiction';
  return page < pages ? { page: page + 1 } : null;
}

/** Next page of a list without a number of pages: a short page may have another after it, so only an empty one is the end. */
export function nextUnlessEmpty({ page }: ListPlace, rows: readonly unknown[]): NextPage {
  return rows.length === 0 ? null : { page: page + 1 };
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

/** The day that a date or time from the wire begins with: `2026-11-25`; null for any other text. */
export function readDay(text: string | null | undefined): string | null {
  return readTime(text) === null ? null : (/^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0] ?? null);
}

/** The day of a time in UTC: `2026-11-25`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Enough for a day of forty thousand transactions at twenty a page. */
const maxPages = 2000;
/** A list that changes while it is read can repeat a page; more repeats than this mean it never ends. */
const maxRepeats = 3;

/**
 * Reads a gateway's list to its end, each row once. Every page must be readable: the first one that is not is returned.
 * A list that repeats itself or has no end within 2000 pages is returned as unknown, without rows.
 *
 * @param read reads the page with that cursor; null is the first
 * @param keyOf the identity of a row that the list shows twice; the later one counts
 */
export async function readAllPages<T>(
  read: (cursor: string | null) => Promise<Outcome<ListPage<T>>>,
  keyOf: (row: T) => string,
): Promise<Outcome<readonly T[]>> {
  const rows = new Map<string, T>();
  const cursors = new Set<string>();
  let cursor: string | null = null;
  let repeats = 0;
  for (let pages = 1; ; pages += 1) {
    const page = await read(cursor);
    if (page.outcome !== 'yes') return page;
    const known = rows.size;
    for (const row of page.value.rows) rows.set(keyOf(row), row);
    repeats = page.value.rows.length > 0 && rows.size === known ? repeats + 1 : 0;
    cursor = page.value.nextCursor;
    if (cursor === null) return { outcome: 'yes', value: [...rows.values()], call: page.call };
    if (cursors.has(cursor) || repeats >= maxRepeats || pages >= maxPages) {
      const message = `The gateway's list did not come to an end after ${pages} pages.`;
      return { outcome: 'unknown', failure: failure('provider_fault', 'malformed_answer', message), call: page.call };
    }
    cursors.add(cursor);
  }
}
