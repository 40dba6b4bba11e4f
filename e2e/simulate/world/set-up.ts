import { createMerchants } from '../../chaos/environment/environment.ts';
import type { MerchantPlan } from '../../chaos/plan/plan.ts';
import type { GatewayName, RegisteredAccount } from '../../harness/gateways.ts';
import { openWorld } from './open-world.ts';

/** What every world begins with, beside the rows in its database. */
export interface Beginning {
  readonly merchants: readonly { readonly merchantId: string; readonly key: string }[];
  readonly accounts: readonly { readonly gateway: GatewayName; readonly account: RegisteredAccount }[];
  readonly endpoints: readonly { readonly merchantId: string; readonly endpointId: string; readonly secret: string }[];
}

/** Creates merchants by the product's own use cases; `environment` is that of our processes, without the public address. */
export async function setUp(
  merchants: readonly MerchantPlan[],
  environment: Readonly<Record<string, string>>,
  folder: string,
): Promise<Beginning> {
  const { simulators, servers, proxy } = await openWorld(0, []);
  const accounts: { gateway: GatewayName; account: RegisteredAccount }[] = [];
  const endpoints: { merchantId: string; endpointId: string; secret: string }[] = [];
  const created = await createMerchants(
    { merchants },
    { ...environment, SWITCHYARD_PUBLIC_URL: proxy.url },
    {
      baseUrlOf: simulators.baseUrlOf,
      async register(gateway, account) {
        accounts.push({ gateway, account });
      },
    },
    {
      nextUrl: () => servers.nextUrl(),
      receive(endpoint) {
        servers.receive(endpoint);
        endpoints.push(endpoint);
      },
    },
    folder,
  );
  return { merchants: created, accounts, endpoints };
}
