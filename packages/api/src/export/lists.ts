import type { Database } from '@switchyard/db';
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
  file(database: Database, merchantIds: readonly string[]): Promise<FileQuery>;
}

function list<Filter extends { readonly merchantIds: readonly string[]; readonly mode: 'test' | 'live' }>(
  permission: Permission,
  file: FileList,
  schema: z.ZodType<Filter>,
  conditionsOf: (database: Database, filter: Filter) => Prisma.Sql[] | Promise<Prisma.Sql[]>,
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
        file: async (database, merchantIds) => {
          const conditions = await conditionsOf(database, { ...data, merchantIds });
          return { ...file, merchantIds, conditions };
        },
      };
    },
  };
}

/** Every exportable list by its name in the URL. Each takes the filter of its page. */
export const LISTS: Readonly<Record<string, List>> = {
  payments: list('payment:read', PAYMENT_FILE, paymentFilter, paymentConditions),
  refunds: list('payment:read', REFUND_FILE, refundFilter, (_, filter) => refundConditions(filter)),
  'duplicate-charges': list('payment:read', DUPLICATE_CHARGE_FILE, duplicateChargeFilter, (_, filter) =>
    duplicateChargeConditions(filter),
  ),
  differences: list('report:read', DISCREPANCY_FILE, discrepancyFilter, (_, filter) => discrepancyConditions(filter)),
  'webhook-deliveries': list('webhook:read', DELIVERY_FILE, deliveryFilter, (_, filter) => deliveryConditions(filter)),
};
