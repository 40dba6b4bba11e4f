import type { GatewayName, RegisteredAccount } from '../../harness/gateways.ts';
import { gatewaysOf, MERCHANTS } from '../../world/plan/plan.ts';
import { createMerchants, type DrivenMerchant } from '../../world/servers/create-merchants.ts';
import type { MerchantEndpoint } from '../../world/servers/merchant-servers.ts';
import { openWorld } from '../../world/servers/open-world.ts';

/** Initial state of every world, beside the rows in its database. */
export interface Beginning {
  readonly merchants: readonly DrivenMerchant[];
  readonly accounts: readonly { readonly gateway: GatewayName; readonly account: RegisteredAccount }[];
  readonly endpoints: readonly MerchantEndpoint[];
}

/** Creates merchants by the product's own use cases; `environment` is that of our processes, without the public address. */
export async function setUp(environment: Readonly<Record<string, string>>): Promise<Beginning> {
  const { simulators, servers, proxy } = await openWorld(0, [], () => Date.now(), { gateways: gatewaysOf(MERCHANTS) });
  const accounts: { gateway: GatewayName; account: RegisteredAccount }[] = [];
  const endpoints: MerchantEndpoint[] = [];
  const merchants = await createMerchants(
    MERCHANTS,
    { ...environment, SWITCHYARD_PUBLIC_URL: proxy.url },
    {
      baseUrlOf: simulators.baseUrlOf,
      async register(gateway, account) {
        accounts.push({ gateway, account });
      },
    },
    {
      nextUrl: servers.nextUrl,
      receive(endpoint) {
        servers.receive(endpoint);
        endpoints.push(endpoint);
      },
    },
    () => undefined,
  );
  return { merchants, accounts, endpoints };
}
