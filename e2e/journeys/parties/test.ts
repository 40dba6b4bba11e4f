import { test as base } from '@playwright/test';
import { readDemo } from './demo.ts';
import { GATEWAYS, type GatewayControl, gatewayControl } from './gateways.ts';
import { waitForScript } from './hydrated.ts';
import { merchantAt } from './merchant.ts';
import { openShop, type Shop } from './shop.ts';

export { expect } from '@playwright/test';

export const demo = readDemo();
/** Small cards and transfers go to Paystack first, cards above 5,000 to Flutterwave. */
export const merchant = merchantAt(demo.webUrl, demo.secretKey);
/** Whose gateways are put in trouble: what its accounts learn of that, no other journey's payments are routed by. */
export const troubledMerchant = merchantAt(demo.webUrl, demo.secondMerchantKey);

interface Parties {
  readonly shop: Shop;
  /** Whatever trouble a journey makes is over when it ends. */
  readonly gateways: GatewayControl;
}

export const test = base.extend<Parties>({
  page: async ({ page }, use) => use(waitForScript(page)),
  shop: async ({ page }, use) => {
    const shop = await openShop(page);
    await use(shop);
    await shop.close();
  },
  gateways: async ({ request }, use) => {
    const gateways = gatewayControl(demo.sandboxUrl, request);
    await use(gateways);
    for (const gateway of GATEWAYS) await gateways.heal(gateway);
  },
});
