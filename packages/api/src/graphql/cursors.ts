import { isUuid } from '@switchyard/db';
import { createGraphQLError } from 'graphql-yoga';

/** Where a row stands in a list by time. */
export interface TimeKey {
  readonly createdAt: Date;
  readonly id: string;
}

const RADIX = 36;

/** A place in a list, as text that callers hand back unread: the milliseconds, then the id. A page makes one for each row. */
export function toCursor({ createdAt, id }: TimeKey): string {
  return `${createdAt.getTime().toString(RADIX)}.${id}`;
}

/** Reads a cursor of ours; throws for any other text. */
export function fromCursor(cursor: string): TimeKey {
  const dot = cursor.indexOf('.');
  const key = { createdAt: new Date(Number.parseInt(cursor.slice(0, dot), RADIX)), id: cursor.slice(dot + 1) };
  // What we would have written ourselves, to the letter; nothing was recorded before 1970.
  if (key.createdAt.getTime() >= 0 && isUuid(key.id) && toCursor(key) === cursor) return key;
  throw createGraphQLError('This cursor is not one of ours.', { extensions: { code: 'BAD_CURSOR' } });
}
