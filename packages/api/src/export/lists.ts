import { searchPaymentIds } from '@switchyard/payments/console';
import {
  deliveryFile,
  discrepancyFile,
  duplicateChargeFile,
  type FileQuery,
  paymentFile,
  refundFile,
} from '@switchyard/reporting';
import type { Permission } from '@switchyard/staff';
import { z } from 'zod';
import { AMOUNT_MAX, orNone, PAYMENT_STATUSES } from '../payment-filter.ts';
import { plainText } from '../plain-text.ts';
import type { Switchyard } from '../process.ts';

const IDS_MAX = 1_000;

const moment = z.iso
  .datetime({ offset: true })
  .transform((given) => new Date(given))
  .nullable()
  .default(null);
const id = z.uuid().nullable().default(null);
const ids = z.array(z.uuid()).max(IDS_MAX).default([]);
const day = z.iso.date().nullable().default(null);
const names = z.array(plainText(100)).max(100).default([]);
const amount = z.int().min(0).max(AMOUNT_MAX).nullable().default(null);
const flag = z.boolean().nullable().default(null);

/** Filters that GraphQL has too carry the same names here. */
const scope = z.strictObject({
  /** Empty for every merchant the caller reaches. */
  merchantIds: ids,
  mode: z.enum(['test', 'live']),
  createdFrom: moment,
  createdTo: moment,
});
const payments = scope.extend({
  statuses: z.array(z.enum(PAYMENT_STATUSES)).max(PAYMENT_STATUSES.length).default([]),
  /** `NONE` for payments that no gateway could take. */
  gateways: names,
  accountIds: ids,
  /** `NONE` for payments that named no method. */
  methods: names,
  /** `NONE` for payments that no rule routed. */
  ruleIds: z.array(plainText(200)).max(200).default([]),
  amountFrom: amount,
  amountTo: amount,
  late: flag,
  underReview: flag,
  /** The gateway that was paid, else the one that opened the checkout the customer had; `NONE` for neither. */
  openedAt: plainText(50).nullable().default(null),
  customer: plainText(320).nullable().default(null),
  search: plainText(320).nullable().default(null),
});
const stated = scope.extend({ states: names });
const moneyFilter = stated.extend({ gateways: names, paymentId: id });
const differenceFilter = stated.extend({ kinds: names, accountIds: ids, ownerId: id, dayFrom: day, dayTo: day });
const deliveryFilter = stated.extend({ endpointId: id, types: names, about: id });

/** An exportable list, parsed from a request's filter. */
interface List {
  /** A permission required in addition to the export permission. */
  readonly permission: Permission;
  /** The parsed request, or the problem with its filter. */
  read(filter: unknown): { readonly problem: string } | ListRequest;
}

export interface ListRequest {
  /** Empty for every merchant the caller reaches. */
  readonly merchantIds: readonly string[];
  readonly mode: 'test' | 'live';
  /** As the audit log records it. */
  readonly filter: unknown;
  file(switchyard: Switchyard, merchantIds: readonly string[]): Promise<FileQuery>;
}

function list<Filter extends { merchantIds: string[]; mode: 'test' | 'live' }>(
  permission: Permission,
  schema: z.ZodType<Filter>,
  toFile: (filter: Filter, merchantIds: readonly string[], switchyard: Switchyard) => FileQuery | Promise<FileQuery>,
): List {
  return {
    permission,
    read(given) {
      const { success, data, error } = schema.safeParse(given);
      if (!success) return { problem: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') };
      const file = async (switchyard: Switchyard, merchantIds: readonly string[]) => toFile(data, merchantIds, switchyard);
      return { merchantIds: data.merchantIds, mode: data.mode, filter: given, file };
    },
  };
}

/** Every exportable list by its name in the URL. Each takes the filters of its page. */
export const LISTS: Readonly<Record<string, List>> = {
  payments: list('payment:read', payments, async (filter, merchantIds, { resources }) => {
    const search = filter.search?.trim() || null;
    const { mode, customer } = filter;
    const paymentIds = search === null ? null : await searchPaymentIds(resources.database, { merchantIds, mode }, search);
    return paymentFile({
      merchantIds,
      mode,
      customer,
      paymentIds,
      statuses: filter.statuses,
      gateways: filter.gateways.map(orNone),
      openedAt: filter.openedAt === null ? null : orNone(filter.openedAt),
      methods: filter.methods.map(orNone),
      accountIds: filter.accountIds,
      ruleIds: filter.ruleIds.map(orNone),
      amountFrom: whole(filter.amountFrom),
      amountTo: whole(filter.amountTo),
      createdFrom: filter.createdFrom,
      createdTo: filter.createdTo,
      late: filter.late,
      underReview: filter.underReview,
    });
  }),
  refunds: list('payment:read', moneyFilter, (filter, merchantIds) => refundFile({ ...filter, merchantIds })),
  'duplicate-charges': list('payment:read', moneyFilter, (filter, merchantIds) =>
    duplicateChargeFile({ ...filter, merchantIds }),
  ),
  differences: list('report:read', differenceFilter, (filter, merchantIds) => discrepancyFile({ ...filter, merchantIds })),
  'webhook-deliveries': list('webhook:read', deliveryFilter, (filter, merchantIds) => deliveryFile({ ...filter, merchantIds })),
};

function whole(amount: number | null): bigint | null {
  return amount === null ? null : BigInt(amount);
}
