import type { Mode, Prisma } from '@switchyard/db/client';
import { ACCOUNTS_MAX } from '@switchyard/merchants/console/gateway-accounts';
import { type ListedGatewayAccount, listGatewayAccountRows } from '@switchyard/merchants/gateway-accounts';
import { type FeeSchedule, PAYMENT_METHODS, type RoutableAccount } from '@switchyard/routing';
import { z } from 'zod';

/** A fee schedule as stored with an account. */
export const feeScheduleSchema = z.strictObject({
  percentBasisPoints: z.int(),
  flat: z.number(),
  flatWaivedBelow: z.number().nullable(),
  cap: z.number().nullable(),
  vatBasisPoints: z.int(),
}) satisfies z.ZodType<FeeSchedule>;

/** A merchant's accounts of one mode in routing's form. Whether credentials are valid is known only to the gateway. */
export async function readRoutableAccounts(
  client: Prisma.TransactionClient,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
): Promise<RoutableAccount[]> {
  const rows = await listGatewayAccountRows(client, merchantId, { mode, limit: ACCOUNTS_MAX });
  return rows.map(toRoutable);
}

function toRoutable(row: ListedGatewayAccount): RoutableAccount {
  const fees = feeScheduleSchema.safeParse(row.fees);
  return {
    accountId: row.id,
    gateway: row.gateway,
    label: row.label,
    enabled: row.enabled,
    configured: row.hasCredentials,
    currencies: row.currencies,
    methods: PAYMENT_METHODS.filter((method) => row.methods.includes(method)),
    minAmount: Number(row.minAmount),
    maxAmount: row.maxAmount === null ? null : Number(row.maxAmount),
    fees: fees.success ? fees.data : null,
  };
}
