import { newId } from '@switchyard/db';
import { createTestMerchant, type TestMerchant } from '@switchyard/e2e/merchants';
import type { Product } from '@switchyard/e2e/product';
import { openResources } from '@switchyard/merchants';

/** Creates a merchant whose gateway accounts are at the benchmark's gateway. */
export async function createBenchMerchant(product: Product, gatewayOrigin: string): Promise<TestMerchant> {
  const resources = openResources(product.environment, (error, doing) =>
    console.error(`  trouble while ${doing}: ${error instanceof Error ? error.message : 'unknown'}`),
  );
  try {
    const gateways = {
      baseUrls: { paystack: gatewayOrigin, flutterwave: `${gatewayOrigin}/flutterwave/v3` },
      register: async () => undefined,
    };
    return await createTestMerchant({ merchants: { resources, now: () => new Date(), newId }, resources }, gateways, [], {});
  } finally {
    await resources.close();
  }
}
