import { Prisma } from './generated/client.ts';

/** An immutable JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** JSON for a column that is never SQL null. */
export function toPrismaJson(value: JsonValue): Prisma.InputJsonValue | typeof Prisma.JsonNull {
  return value === null ? Prisma.JsonNull : JSON.parse(JSON.stringify(value));
}
