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
  SETTLEMENT_LINE_FILE,
} from '@switchyard/reporting/files';
import { feeList } from '@switchyard/settlements/fees';
import { settlementLineList } from '@switchyard/settlements/lists';
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
  settlementLineFilter,
} from '../list-filters.ts';

/** An exportable list, parsed from a request's filter. */
interface List {
  /** A permission required in addition to the export permission. */
  readonly permission: Permission;
  /** The parsed request, or the problem with its filter. */
  read(filter: unknown): { readonly problem: string } | ListRequest;
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

function list<Filter extends { readonly merchantIds: readonly string[]; readonly mode: 'test' | 'live' }>(
  permission: Permission,
  file: FileList | ((filter: Filter) => FileList),
  schema: z.ZodType<Filter>,
  listOf: (database: Database, filter: Filter) => TenantList | Promise<TenantList>,
): List {
  return {
    permission,
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

/** Every exportable list by its name in the URL. Each takes the filter of its page. */
export const LISTS: Readonly<Record<string, List>> = {
  payments: list(
    'payment:read',
    ({ date }) => (date === 'settled' ? SETTLED_PAYMENT_FILE : PAYMENT_FILE),
    paymentFileFilter,
    async (database, filter) => {
      const found = await paymentList(database, filter);
      return { ...found, conditions: [...found.conditions, ...isWithinDays(filter)] };
    },
  ),
  refunds: list('payment:read', REFUND_FILE, refundFilter, (_, filter) => refundList(filter)),
  'duplicate-charges': list('payment:read', DUPLICATE_CHARGE_FILE, duplicateChargeFilter, (_, filter) =>
    duplicateChargeList(filter),
  ),
  discrepancies: list('report:read', DISCREPANCY_FILE, discrepancyFilter, (_, filter) => discrepancyList(filter)),
  disputes: list('payment:read', DISPUTE_FILE, disputeFilter, (_, filter) => disputeList(filter)),
  'settlement-lines': list('report:read', SETTLEMENT_LINE_FILE, settlementLineFilter, (_, filter) => settlementLineList(filter)),
  fees: list('report:read', FEE_FILE, feeFilter, (_, filter) => feeList(filter)),
  'webhook-deliveries': list('webhook:read', DELIVERY_FILE, deliveryFilter, (_, filter) => deliveryList(filter)),
};
