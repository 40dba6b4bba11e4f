import pg from 'pg';

/**
 * A value as it stands in the text of a statement, for the statements that take no values beside it. Texts, moments, whole numbers,
 * truths and lists of texts; throws for anything else, and for a text that PostgreSQL cannot hold.
 */
export function toLiteral(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return quoted(value.toString());
  if (typeof value === 'number' && Number.isSafeInteger(value)) return quoted(value.toString());
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value instanceof Date) return quoted(value.toISOString());
  if (Array.isArray(value)) return `ARRAY[${value.map(toLiteral).join(', ')}]`;
  throw new TypeError(`no way to write ${typeof value} into a statement`);
}

function quoted(text: string): string {
  // The protocol ends a statement there.
  if (text.includes('\u0000')) throw new TypeError('a text of PostgreSQL holds no NUL');
  return pg.escapeLiteral(text);
}
