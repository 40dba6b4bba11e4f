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
  const acknowledged = new Map<string, number>();
  const proxy = await openFaultProxy(seed, async (path, request) => {
    const reply = await send(path, request);
    const account = path.split('/').at(-1) ?? '';
    if (reply?.status === 200) acknowledged.set(account, (acknowledged.get(account) ?? 0) + 1);
    return reply;
  });
  const servers = await openMerchantServers(seed, clock);
  return { simulators, send, proxy, servers, acknowledged };
}

/** A request may be on its way for hours. */
const LATE_MS = 12 * 3_600_000;
