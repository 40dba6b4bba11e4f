import type { DrivenObservations } from '../../world/checker/observations.ts';
import { driveWorld } from '../../world/drive/drive-world.ts';
import { gatewaysOf, itemsAt, MERCHANTS } from '../../world/plan/plan.ts';
import { openWorld } from '../../world/servers/open-world.ts';
import type { Beginning } from './set-up.ts';
import { virtualHost, type WorldHost } from './virtual-host.ts';
import type { WorldPlan } from './world-plan.ts';
/* Gateways, customers and merchants of a world. Bundled, and evaluated anew for each world, on the world's time. */

/** Opens what is around our processes as it was when the merchants were made, and drives the plan. */
export async function driveSimulatedWorld(
  plan: WorldPlan,
  host: WorldHost,
  { merchants, accounts, endpoints }: Beginning,
): Promise<DrivenObservations> {
  const gateways = gatewaysOf(itemsAt(MERCHANTS, plan.merchants));
  const world = await openWorld(plan.seed, host.webs, () => Date.now(), { gateways, quirks: plan.quirks });
  for (const { gateway, account } of accounts) await world.simulators.register(gateway, account, plan.quirks[gateway]);
  for (const endpoint of endpoints) world.servers.receive(endpoint);
  return driveWorld(plan, world, virtualHost(host, world), itemsAt(merchants, plan.merchants));
}
