import type { Database } from '@switchyard/db';
import type { TenantList } from '@switchyard/db/lists';
import { disputeList } from '@switchyard/disputes/lists';
import { duplicateChargeList, paymentList, refundList } from '@switchyard/payments/lists';
import { discrepancyList } from '@switchyard/reconciliation/discrepancy-filter';
import {
  DELIVERY_FILE,
  DISCREPANCY_FILE,
  DISPUTE_FILE,
  DUPLICATE_CHARGE_FILE,
  FEE_FILE,
  type FileList,
  type FileQuery,
  isWithinDays,
  PAYMENT_FILE,
  REFUND_FILE,
  SETTLED_PAYMENT_FILE,
  SETTLEMENT_DISCREPANCY_FILE,
  SETTLEMENT_FILE,
  SETTLEMENT_LINE_FILE,
} from '@switchyard/reporting/files';
import { feeList } from '@switchyard/settlements/fees';
import { settlementDiscrepancyList, settlementLineList, settlementList } from '@switchyard/settlements/lists';
import type { Permission } from '@switchyard/staff/permissions';
import { deliveryList } from '@switchyard/webhooks/delivery-filter';
import type { z } from 'zod';
import {
  deliveryFilter,
  discrepancyFilter,
  disputeFilter,
  duplicateChargeFilter,
  feeFilter,
  paymentFileFilter,
  refundFilter,
  settlementDiscrepancyFilter,
  settlementExportFilter,
  settlementLineFilter,
} from './filters.ts';

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
export interface ExportedList {
  /** As people read it: `Settlement lines`. */
  readonly title: string;
  /** A permission required in addition to the export permission. */
  readonly permission: Permission;
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

type Scoped = { readonly merchantIds: readonly string[]; readonly mode: 'test' | 'live' };

function list<Filter extends Scoped>(
  title: string,
  permission: Permission,
  file: FileList | ((filter: Filter) => FileList),
  schema: z.ZodType<Filter>,
  listOf: (database: Database, filter: Filter) => TenantList | Promise<TenantList>,
): ExportedList {
  return {
    title,
    permission,
    ...BY_CREATION,
    read(given) {
      const { success, data, error } = schema.safeParse(given);
      if (!success) return { problem: error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ') };
      return {
        merchantIds: data.merchantIds,
        mode: data.mode,
        filter: given,
        file: async (database, merchantIds) => ({
          ...(typeof file === 'function' ? file(data) : file),
          ...(await listOf(database, { ...data, merchantIds })),
        }),
      };
    },
  };
}

/** Fields that say when, or of which payout, in any filter. */
const periodFields = ['createdFrom', 'createdTo', 'dayFrom', 'dayTo', 'from', 'to', 'settlementId'] as const;

const BY_CREATION: Pick<ExportedList, 'periodFields' | 'within'> = {
  periodFields,
  within: ({ from, to }) => ({ createdFrom: from.toISOString(), createdTo: to.toISOString() }),
};

/** By the days that `from` and `to` of a filter are of. */
const BY_DAY: Pick<ExportedList, 'periodFields' | 'within'> = {
  periodFields,
  within: ({ firstDay, lastDay }) => ({ from: firstDay, to: lastDay }),
};

/** Every exportable list by its name in the URL. Each takes the filter of its page. */
export const LISTS: Readonly<Record<string, ExportedList>> = {
  payments: {
    ...list(
      'Payments',
      'payment:read',
      ({ date }) => (date === 'settled' ? SETTLED_PAYMENT_FILE : PAYMENT_FILE),
      paymentFileFilter,
      async (database, filter) => {
        const found = await paymentList(database, filter);
        return { ...found, conditions: [...found.conditions, ...isWithinDays(filter)] };
      },
    ),
    within: (period, filter) => (['paid', 'settled'].includes(String(filter.date)) ? BY_DAY : BY_CREATION).within(period, filter),
  },
  refunds: list('Refunds', 'payment:read', REFUND_FILE, refundFilter, (_, filter) => refundList(filter)),
  'duplicate-charges': list('Duplicate payments', 'payment:read', DUPLICATE_CHARGE_FILE, duplicateChargeFilter, (_, filter) =>
    duplicateChargeList(filter),
  ),
  discrepancies: list('Discrepancies', 'report:read', DISCREPANCY_FILE, discrepancyFilter, (_, filter) =>
    discrepancyList(filter),
  ),
  disputes: list('Disputes', 'payment:read', DISPUTE_FILE, disputeFilter, (_, filter) => disputeList(filter)),
  settlements: {
    ...list('Settlements', 'report:read', SETTLEMENT_FILE, settlementExportFilter, (_, filter) => settlementList(filter)),
    ...BY_DAY,
  },
  'settlement-lines': {
    ...list('Settlement lines', 'report:read', SETTLEMENT_LINE_FILE, settlementLineFilter, (_, filter) =>
      settlementLineList(filter),
    ),
    ...BY_DAY,
  },
  'settlement-discrepancies': list(
    'Settlement and bank discrepancies',
    'report:read',
    SETTLEMENT_DISCREPANCY_FILE,
    settlementDiscrepancyFilter,
    (_, filter) => settlementDiscrepancyList(filter),
  ),
  fees: { ...list('Fees', 'report:read', FEE_FILE, feeFilter, (_, filter) => feeList(filter)), ...BY_DAY },
  'webhook-deliveries': list('Webhook deliveries', 'webhook:read', DELIVERY_FILE, deliveryFilter, (_, filter) =>
    deliveryList(filter),
  ),
};
