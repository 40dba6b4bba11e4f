import {
  deliveryFile,
  differenceFile,
  duplicateChargeFile,
  type FileQuestion,
  type ListFileFilter,
  paymentFile,
  refundFile,
  searchPaymentIds,
} from '@switchyard/db';
import type { Permission } from '@switchyard/merchants';
import { z } from 'zod';
import { orNone, paymentFilter } from '../payment-filter.ts';
import type { Switchyard } from '../process.ts';

const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((given) => !given.includes('\u0000') && given.isWellFormed(), 'must be plain text');
const moment = z.iso
  .datetime({ offset: true })
  .transform((given) => new Date(given))
  .nullable()
  .default(null);
const id = z.uuid().nullable().default(null);
const day = z.iso.date().nullable().default(null);
const names = z.array(text(100)).max(100).default([]);

const scope = z.strictObject({
  /** Null for every merchant the caller reaches. */
  merchantId: z.uuid().nullable().default(null),
  mode: z.enum(['test', 'live']),
});
const timed = scope.extend({ from: moment, to: moment, states: names });
const moneyFilter = timed.extend({ gateways: names, paymentId: id });
const differenceFilter = scope.extend({ states: names, kinds: names, accountId: id, ownerId: id, from: day, to: day });
const deliveryFilter = timed.extend({ endpointId: id, types: names, about: id });
const payments = z.strictObject({ ...paymentFilter.shape, from: moment, to: moment });

/** A list that can be had as a file, read from a filter as it came. */
interface List {
  /** Asked for besides the permission to export. */
  readonly permission: Permission;
  /** What is wrong with the filter, or what was asked for. */
  read(filter: unknown): { readonly problem: string } | Asked;
}

export interface Asked {
  readonly merchantId: string | null;
  readonly mode: 'test' | 'live';
  /** As it goes on record. */
  readonly filter: unknown;
  file(switchyard: Switchyard, merchantIds: readonly string[]): Promise<FileQuestion>;
}

function list<Filter extends { merchantId: string | null; mode: 'test' | 'live' }>(
  permission: Permission,
  schema: z.ZodType<Filter>,
  toFile: (filter: Filter, merchantIds: readonly string[], switchyard: Switchyard) => FileQuestion | Promise<FileQuestion>,
): List {
  return {
    permission,
    read(given) {
      const { success, data, error } = schema.safeParse(given);
      if (!success) return { problem: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') };
      const file = async (switchyard: Switchyard, merchantIds: readonly string[]) => toFile(data, merchantIds, switchyard);
      return { merchantId: data.merchantId, mode: data.mode, filter: given, file };
    },
  };
}

const own = (filter: Omit<ListFileFilter, 'merchantIds'>, merchantIds: readonly string[]) => ({ ...filter, merchantIds });

/** Every list that can be had as a file, by its name in the address. Each takes the filters of its page. */
export const LISTS: Readonly<Record<string, List>> = {
  payments: list('payment:read', payments, async (filter, merchantIds, { resources }) => {
    const search = filter.search?.trim() || null;
    const { mode, customer } = filter;
    const paymentIds = search === null ? null : await searchPaymentIds(resources.database, { merchantIds, mode }, search);
    return paymentFile({
      ...{ merchantIds, mode, customer, paymentIds, statuses: filter.statuses },
      gateways: filter.gateways.map(orNone),
      openedAt: filter.openedAt === null ? null : orNone(filter.openedAt),
      methods: filter.methods.map((method) => (method === 'NONE' ? '' : method)),
      accountIds: filter.accountId === null ? [] : [filter.accountId],
      ruleIds: filter.ruleId === null ? [] : [orNone(filter.ruleId)],
      ...{ amountFrom: whole(filter.minAmount), amountTo: whole(filter.maxAmount) },
      ...{ createdFrom: filter.from, createdTo: filter.to, late: null, underReview: filter.underReview || null },
    });
  }),
  refunds: list('payment:read', moneyFilter, (filter, ids) => refundFile(own(filter, ids))),
  'duplicate-charges': list('payment:read', moneyFilter, (filter, ids) => duplicateChargeFile(own(filter, ids))),
  differences: list('report:read', differenceFilter, ({ from, to, ...filter }, ids) =>
    differenceFile(own({ ...filter, from: null, to: null, firstDay: from, lastDay: to }, ids)),
  ),
  'webhook-deliveries': list('webhook:read', deliveryFilter, (filter, ids) => deliveryFile(own(filter, ids))),
};

function whole(amount: number | null): bigint | null {
  return amount === null ? null : BigInt(amount);
}
