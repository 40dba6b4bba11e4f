import { newId } from '@switchyard/db';
import { createTestMerchant, type TestMerchant } from '@switchyard/e2e/merchants';
import type { Product } from '@switchyard/e2e/product';
import { openResources } from '@switchyard/runtime/resources';
import { createEndpoint } from '@switchyard/webhooks/endpoints';

/** A merchant whose gateway accounts, and whose endpoint for events, are at the benchmark's gateway. */
export interface BenchMerchant extends TestMerchant {
  readonly endpoint: { readonly id: string; readonly path: string; readonly secret: string };
}

const ENDPOINT_PATH = '/events';
/** The benchmark makes no such event: those that it delivers are written for the purpose. */
const NEVER = 'payment.duplicate_charge';

/** Others who initiate payments. */
export interface OtherMerchants {
  readonly keys: readonly string[];
  readonly merchantIds: readonly string[];
}

const CREATED_AT_ONCE = 8;

/** Creates the merchant, and so many others at the same gateway. */
export async function createBenchMerchant(
  product: Product,
  gatewayOrigin: string,
  others: number,
): Promise<{ readonly merchant: BenchMerchant; readonly others: OtherMerchants }> {
  const resources = openResources(product.environment, (error, doing) =>
    console.error(`  trouble while ${doing}: ${error instanceof Error ? error.message : 'unknown'}`),
  );
  try {
    const context = { resources, now: () => new Date(), newId };
    const gateways = {
      // It answers as Paystack does, which is the only one that is called.
      baseUrlOf: (gateway: string) => (gateway === 'paystack' ? gatewayOrigin : `${gatewayOrigin}/${gateway}`),
      register: async () => undefined,
    };
    const merchant = await createTestMerchant(context, gateways, [], {});
    const url = gatewayOrigin + ENDPOINT_PATH;
    const { merchantId } = merchant;
    const settings = { merchantId, mode: 'test', url, description: '', types: [NEVER], actor: 'system:bench' } as const;
    const created = await createEndpoint(context, settings);
    if (created.kind !== 'created') throw new Error(`the endpoint could not be made: ${created.kind}`);
    const left = Array.from({ length: others }).values();
    const made: TestMerchant[] = [];
    const lane = async (): Promise<void> => {
      for (const _ of left) made.push(await createTestMerchant(context, gateways, [], { order: ['paystack'] }));
    };
    await Promise.all(Array.from({ length: CREATED_AT_ONCE }, lane));
    return {
      merchant: { ...merchant, endpoint: { id: created.endpoint.id, path: ENDPOINT_PATH, secret: created.secret } },
      others: { keys: made.map(({ testKey }) => testKey), merchantIds: made.map((one) => one.merchantId) },
    };
  } finally {
    await resources.close();
  }
}
