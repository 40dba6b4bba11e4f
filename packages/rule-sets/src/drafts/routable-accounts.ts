import type { Mode, Prisma } from '@switchyard/db/client';
import { ACCOUNTS_MAX } from '@switchyard/merchants/console/gateway-accounts';
import { type ListedGatewayAccount, listGatewayAccountRows, readContracts } from '@switchyard/merchants/gateway-accounts';
import { PAYMENT_METHODS, type RoutableAccount } from '@switchyard/routing';
import { contractAt, type FeeContract } from '@switchyard/runtime/fee-contracts';

/** A merchant's accounts of one mode in routing's form. Whether credentials are valid is known only to the gateway. */
export async function readRoutableAccounts(
  client: Prisma.TransactionClient,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
): Promise<RoutableAccount[]> {
  const rows = await listGatewayAccountRows(client, merchantId, { mode, limit: ACCOUNTS_MAX });
  const contracts = await readContracts(client, merchantId);
  const now = new Date();
  return rows.map((row) => toRoutable(row, contractAt(contracts, row.id, now)));
}

function toRoutable(row: ListedGatewayAccount, contract: FeeContract | null): RoutableAccount {
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
    fees: contract?.schedule ?? null,
  };
}
