import { openFaultProxy } from '../../chaos/environment/fault-proxy.ts';
import { openMerchantServers } from '../../chaos/environment/merchant-servers.ts';
import { type Replica, sendInTurn } from '../../chaos/environment/replicas.ts';
import { startSimulators } from '../../chaos/environment/simulators.ts';
import type { WorldHost } from './host.ts';

/** A world in which payments are driven. */
export type World = Awaited<ReturnType<typeof openWorld>> & { readonly host: WorldHost };

/** Opens everything that listens, always in the same order and so on the same ports. */
export async function openWorld(seed: number, webs: readonly Replica[]) {
  const clock = {
    now: () => Date.now(),
    isAbout: (time: number, toleranceMs: number) => Math.abs(Date.now() - time) <= toleranceMs + LATE_MS,
    onMachine: (time: number) => time,
  };
  const simulators = await startSimulators(clock);
  const send = sendInTurn(webs);
  const proxy = await openFaultProxy(seed, send);
  const servers = await openMerchantServers(seed, clock);
  return { simulators, send, proxy, servers };
}

/** A request may be on its way for hours. */
const LATE_MS = 12 * 3_600_000;
