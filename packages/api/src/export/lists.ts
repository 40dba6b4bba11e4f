import type { Prisma } from '@switchyard/db/client';
import { duplicateChargeConditions, paymentConditions, refundConditions } from '@switchyard/payments/lists';
import { discrepancyConditions } from '@switchyard/reconciliation';
import {
  DELIVERY_FILE,
  DISCREPANCY_FILE,
  DUPLICATE_CHARGE_FILE,
  type FileList,
  type FileQuery,
  PAYMENT_FILE,
  REFUND_FILE,
} from '@switchyard/reporting';
import type { Permission } from '@switchyard/staff';
import { deliveryConditions } from '@switchyard/webhooks/deliveries';
import type { z } from 'zod';
import { deliveryFilter, discrepancyFilter, duplicateChargeFilter, paymentFilter, refundFilter } from '../list-filters.ts';

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
  file(merchantIds: readonly string[]): FileQuery;
}

function list<Filter extends { readonly merchantIds: readonly string[]; readonly mode: 'test' | 'live' }>(
  permission: Permission,
  file: FileList,
  schema: z.ZodType<Filter>,
  conditionsOf: (filter: Filter) => Prisma.Sql[],
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
        file: (merchantIds) => ({ ...file, merchantIds, conditions: conditionsOf({ ...data, merchantIds }) }),
      };
    },
  };
}

/** Every exportable list by its name in the URL. Each takes the filter of its page. */
export const LISTS: Readonly<Record<string, List>> = {
  payments: list('payment:read', PAYMENT_FILE, paymentFilter, paymentConditions),
  refunds: list('payment:read', REFUND_FILE, refundFilter, refundConditions),
  'duplicate-charges': list('payment:read', DUPLICATE_CHARGE_FILE, duplicateChargeFilter, duplicateChargeConditions),
  differences: list('report:read', DISCREPANCY_FILE, discrepancyFilter, discrepancyConditions),
  'webhook-deliveries': list('webhook:read', DELIVERY_FILE, deliveryFilter, deliveryConditions),
};
