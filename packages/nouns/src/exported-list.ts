import type { Database } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import type { TenantList } from '@switchyard/db/lists';
import type { z } from 'zod';
import type { Field } from './fields.ts';
import { listOf, type NounOf, type Scope } from './noun.ts';

export interface FileQuery extends Pick<TenantList, 'table' | 'merchantIds' | 'conditions'> {
  readonly columns: readonly Field[];
  /** Columns that are included only when named. */
  readonly moreColumns?: readonly Field[];
  /** Order of a merchant's rows. An index must support it. */
  readonly order: 'time' | 'id';
  readonly rows?: (merchant: Prisma.Sql) => Prisma.Sql;
}

/** A period of a report: its days by a calendar, and the same as moments. */
export interface FilePeriod {
  /** First and last day, `YYYY-MM-DD`. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** From the first moment, until before the second. */
  readonly from: Date;
  readonly to: Date;
}

/** A list that is exported as a file. */
export interface ExportedList<Permission extends string = string> {
  /** As people read it: `Settlement lines`. */
  readonly title: string;
  /** A permission required in addition to the export permission. */
  readonly permission: Permission;
  readonly columns: readonly Field[];
  readonly moreColumns: readonly Field[];
  readonly filter: z.ZodType;
  /** Fields of its filter that say when, or of which payout: a period takes their place. */
  readonly periodFields: readonly string[];
  /** The parsed request, or the problem with its filter. */
  read(filter: unknown): { readonly problem: string } | ListRequest;
  /** The fields of the filter for what was recorded in a period, or has the date in it that the filter names. */
  within(period: FilePeriod, filter: Readonly<Record<string, unknown>>): Readonly<Record<string, string>>;
}

/** A validated request for an exported list. */
export interface ListRequest {
  /** Empty for every merchant the caller reaches. */
  readonly merchantIds: readonly string[];
  readonly mode: 'test' | 'live';
  /** As the audit log records it. */
  readonly filter: unknown;
  file(database: Database, merchantIds: readonly string[]): Promise<FileQuery>;
}

/** Fields that say when, or of which payout, in any filter. */
const PERIOD_FIELDS = ['createdFrom', 'createdTo', 'dayFrom', 'dayTo', 'from', 'to', 'settlementId'] as const;

/** The list of a noun as files. */
export function exported<Filter extends Scope, Permission extends string>(
  noun: NounOf<Filter, Permission>,
): ExportedList<Permission> {
  const { title, permission, fields, moreFields, order, rows, period = 'created' } = noun;
  return {
    title,
    permission,
    columns: fields,
    moreColumns: moreFields,
    filter: noun.filter,
    periodFields: PERIOD_FIELDS,
    read(given) {
      const { success, data, error } = noun.filter.safeParse(given);
      if (!success) return { problem: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') };
      return {
        merchantIds: data.merchantIds,
        mode: data.mode,
        filter: given,
        file: async (database, merchantIds) => {
          const filter = { ...data, merchantIds };
          const list = noun.find === undefined ? listOf(noun, filter) : await noun.find(database, filter);
          const added = noun.added?.(filter) ?? [];
          const columns = [...fields, ...moreFields.filter(({ name }) => added.includes(name))];
          return { ...list, columns, moreColumns: moreFields, order, ...(rows !== undefined && { rows }) };
        },
      };
    },
    within({ firstDay, lastDay, from, to }, filter) {
      const by = typeof period === 'function' ? period(filter) : period;
      return by === 'days' ? { from: firstDay, to: lastDay } : { createdFrom: from.toISOString(), createdTo: to.toISOString() };
    },
  };
}
