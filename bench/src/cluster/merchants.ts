import { newId } from '@switchyard/db';
import { createTestMerchant } from '@switchyard/e2e/merchants';
import type { Product } from '@switchyard/e2e/product';
import { openResources } from '@switchyard/runtime/resources';

/** Creates merchants with an account at the benchmark's gateway each. Returns their API keys. */
export async function createKeys(
  product: Product,
  count: number,
  atOnce: number,
  gatewayOrigin: string,
): Promise<readonly string[]> {
  const resources = openResources(product.environment, () => undefined);
  try {
    const context = { resources, now: () => new Date(), newId };
    const gateways = { baseUrlOf: () => gatewayOrigin, register: async () => undefined };
    const keys: string[] = [];
    let left = count;
    const lane = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        keys.push((await createTestMerchant(context, gateways, [], { order: ['paystack'] })).testKey);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, lane));
    return keys;
  } finally {
    await resources.close();
  }
}
