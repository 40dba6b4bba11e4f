import { Prisma } from './generated/client.ts';

/** An immutable JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A value that is written as JSON: of plain objects, lists and values. */
export type JsonWritable = JsonValue | object;

/** JSON for a column that is never SQL null. */
export function toPrismaJson(value: JsonWritable): Prisma.InputJsonValue | typeof Prisma.JsonNull {
  return value === null ? Prisma.JsonNull : JSON.parse(JSON.stringify(value));
}
