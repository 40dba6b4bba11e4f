import { isUuid } from '@switchyard/db';
import type { TimeKey } from '@switchyard/db/lists';
import { isInRange } from '@switchyard/db/moments';
import { createGraphQLError } from 'graphql-yoga';

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
