import type { Database } from '@switchyard/db';
import { type Mode, Prisma } from '@switchyard/db/client';
import type { TenantList } from '@switchyard/db/lists';
import { z } from 'zod';
import { type Field, type Fields, namedFields } from './fields.ts';
import { filterField } from './filters.ts';

/** The merchants and the mode of a list. */
export interface Scope {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
}

/** A filter as use cases take it: what is left out matches any. */
export type Filtered<Filter> = Scope & Partial<Filter>;

/** The filter of a noun: `NounFilter<typeof refunds>`. */
export type NounFilter<Listed> = Listed extends { readonly filter: z.ZodType<infer Filter> } ? Readonly<Filtered<Filter>> : never;

/** A kind of row that is listed, filtered and exported. */
interface NounParts<Filter, Permission extends string> {
  /** Its list, as people read it: `Settlement lines`. */
  readonly title: string;
  /** A permission to read it; its file needs the one to export in addition. */
  readonly permission: Permission;
  /** With columns `merchant_id`, `created_at` and `id`; conditions call its rows `p`. */
  readonly table: string;
  /** Order of a merchant's rows in a file. An index must support it. */
  readonly order: 'time' | 'id';
  /** Rows of a merchant with what files join to them, those of the table when left out. Subqueries for each row have to name the merchant for a cluster. */
  readonly rows?: (merchant: Prisma.Sql) => Prisma.Sql;
  /** Conditions of several fields of the filter together. */
  readonly where?: (filter: Partial<Filter>) => readonly Prisma.Sql[];
  /** The list, where conditions have to be looked up first. */
  readonly find?: (database: Database, filter: Filtered<Filter>) => Promise<TenantList>;
  /** How its file is of a period: by when rows were recorded, or by the days that `from` and `to` are of. */
  readonly period?: 'created' | 'days' | ((filter: Readonly<Record<string, unknown>>) => 'created' | 'days');
  /** Names of fields that its file has in addition, by the filter. */
  readonly added?: (filter: Filtered<Filter>) => readonly string[];
}

/** A noun with its fields, and with the schema of its filter, which every transport parses with. */
export interface NounOf<Filter, Permission extends string> extends NounParts<Filter, Permission> {
  readonly fields: readonly Field[];
  /** Fields that a file has only when they are named. */
  readonly moreFields: readonly Field[];
  readonly filter: z.ZodType<Filter>;
  /** The fields of the schema, by their names. */
  readonly shape: Readonly<Record<string, z.core.$ZodType>>;
}

/** Defines a noun. Fields and filters are in the order in which people read them. */
export function defineNoun<Shape extends z.ZodRawShape, const Permission extends string>({
  fields,
  moreFields = {},
  filter,
  ...parts
}: NounParts<z.output<z.ZodObject<Shape>>, Permission> & {
  readonly fields: Fields;
  readonly moreFields?: Fields;
  readonly filter: Shape;
}) {
  return {
    ...parts,
    fields: namedFields(fields),
    moreFields: namedFields(moreFields),
    filter: z.strictObject(filter),
    shape: filter,
  };
}

/** The conditions of fields of a filter on rows of a noun, besides the merchants. */
export function conditionsOf<Filter>(
  { shape, where }: Pick<NounOf<Filter, string>, 'filter' | 'shape' | 'where'>,
  values: NoInfer<Partial<Filter>>,
): Prisma.Sql[] {
  const own = Object.entries(shape).flatMap(([name, schema]) => {
    const value: unknown = Reflect.get(values, name);
    return value === undefined || value === null ? [] : filterField(schema).where(value);
  });
  return [...own, ...(where?.(values) ?? [])];
}

/** The list of a filter's rows. */
export function listOf<Filter>(
  noun: Pick<NounOf<Filter, string>, 'filter' | 'shape' | 'table' | 'where'>,
  filter: NoInfer<Filtered<Filter>>,
): TenantList {
  return { table: noun.table, merchantIds: filter.merchantIds, conditions: conditionsOf(noun, filter), by: 'merchant' };
}

/** That a row of a noun is one of a filter's, of its merchants. */
export function isListed<Filter>(
  noun: Pick<NounOf<Filter, string>, 'filter' | 'shape' | 'where'>,
  filter: NoInfer<Filtered<Filter>>,
): Prisma.Sql {
  return Prisma.join([Prisma.sql`p.merchant_id = ANY (${filter.merchantIds}::uuid[])`, ...conditionsOf(noun, filter)], ' AND ');
}
