import type { Mode } from '@switchyard/db/client';
import type { RuntimeContext } from '@switchyard/runtime';
import { ACCOUNTS_MAX } from './connect-gateway.ts';
import { type ListedGatewayAccount, listGatewayAccountRows } from './queries.ts';

/** A merchant's accounts at gateways, oldest first, without their credentials. Empty for a merchant that does not exist. */
export async function listGateways(
  context: RuntimeContext<'database'>,
  query: { readonly merchantId: string; readonly mode?: Mode },
): Promise<ListedGatewayAccount[]> {
  const { merchantId, mode } = query;
  return listGatewayAccountRows(context.resources.database.prisma, merchantId, { limit: ACCOUNTS_MAX, ...(mode && { mode }) });
}
