import { createGraphQLError } from 'graphql-yoga';
import { z } from 'zod';

/** Where a row stands in a list by time. */
export interface TimeKey {
  readonly createdAt: Date;
  readonly id: string;
}

const keySchema = z.tuple([z.iso.datetime(), z.uuid()]);

/** A place in a list, as text that callers hand back unread. */
export function toCursor({ createdAt, id }: TimeKey): string {
  return Buffer.from(JSON.stringify([createdAt.toISOString(), id])).toString('base64url');
}

/** Reads a cursor of ours; throws for any other text. */
export function fromCursor(cursor: string): TimeKey {
  const read = keySchema.safeParse(parse(Buffer.from(cursor, 'base64url').toString()));
  if (!read.success) throw createGraphQLError('This cursor is not one of ours.', { extensions: { code: 'BAD_CURSOR' } });
  const [createdAt, id] = read.data;
  return { createdAt: new Date(createdAt), id };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
