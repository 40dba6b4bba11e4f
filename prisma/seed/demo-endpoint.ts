import type { MerchantsContext } from '@switchyard/merchants';
import { createEndpoint, listEndpoints, sendTestEvent, updateEndpoint } from '@switchyard/webhooks/endpoints';
import { type DemoMerchant, demand, SEED_ACTOR } from './demo-merchants.ts';

const SHOP = '/shop/balogun-street-fabrics';

/**
 * Creates the webhook endpoint of a demo merchant at the sandbox, once: a removed endpoint is not created again. An existing one
 * follows the sandbox to another address.
 */
export async function ensureDemoEndpoint(context: MerchantsContext, merchant: DemoMerchant, sandboxUrl: string): Promise<void> {
  const { merchantId } = merchant;
  const url = `${sandboxUrl}${SHOP}`;
  const endpoints = await listEndpoints(context, { merchantIds: [merchantId], mode: 'test' });
  const own = endpoints.find((endpoint) => endpoint.url.endsWith(SHOP));
  if (own !== undefined) {
    const key = { merchantId, endpointId: own.id, actor: SEED_ACTOR };
    if (own.url !== url) demand(await updateEndpoint(context, { ...key, changes: { url } }), 'updated');
    return;
  }
  if (await wasGivenOne(context, merchantId)) return;
  const wanted = { merchantId, mode: 'test', url, description: 'The shop at the sandbox', types: [], actor: SEED_ACTOR } as const;
  const { endpoint } = demand(await createEndpoint(context, wanted), 'created');
  demand(await sendTestEvent(context, { merchantId, endpointId: endpoint.id, actor: SEED_ACTOR }), 'queued');
}

async function wasGivenOne({ resources }: MerchantsContext, tenantId: string): Promise<boolean> {
  const where = { tenantId, action: 'webhook_endpoint.created', actor: SEED_ACTOR };
  return (await resources.database.prisma.auditEntry.findFirst({ where, select: { tenantId: true } })) !== null;
}
