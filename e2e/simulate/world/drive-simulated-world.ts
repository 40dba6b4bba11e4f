import type { DrivenObservations } from '../../world/checker/observations.ts';
import { driveWorld } from '../../world/drive/drive-world.ts';
import type { Plan } from '../../world/plan/plan.ts';
import { openWorld } from '../../world/servers/open-world.ts';
import type { Beginning } from './set-up.ts';
import { virtualHost } from './virtual-host.ts';
import type { WorldHost } from './world-host.ts';

/** Opens what is around our processes as it was when the merchants were made, and drives the plan. */
export async function driveSimulatedWorld(
  plan: Plan,
  host: WorldHost,
  { merchants, accounts, endpoints }: Beginning,
): Promise<DrivenObservations> {
  const world = await openWorld(plan.seed, host.webs, () => Date.now());
  for (const { gateway, account } of accounts) await world.simulators.register(gateway, account);
  for (const endpoint of endpoints) world.servers.receive(endpoint);
  return driveWorld(plan, world, virtualHost(host, world), merchants);
}
