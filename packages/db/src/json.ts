import { Prisma } from './generated/client.ts';

/** An immutable JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A value that is written as JSON: of plain objects, lists and values. */
export type JsonWritable = JsonValue | object;

/** JSON for a column that is never SQL null. */
export function toPrismaJson(value: JsonWritable): Prisma.InputJsonValue | typeof Prisma.JsonNull {
  return value === null ? Prisma.JsonNull : JSON.parse(JSON.stringify(value));
}

/**
 * JSON text with the names of every object sorted by code unit: equal values give equal text, in whatever order their fields were
 * written. Fields without a value are left out, as `JSON.stringify` does; `toJSON` methods are not called.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const written = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const entries = written.sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(',')}}`;
}

/** True if a JSON value nests deeper than `levels`. Descends no further, so that no nesting can exhaust the stack. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
