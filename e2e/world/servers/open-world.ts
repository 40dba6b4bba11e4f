import { openMerchantServers } from './merchant-servers.ts';
import { type Replica, sendInTurn } from './send.ts';
import { startSimulators } from './simulators.ts';
import { openWebhookProxy } from './webhook-proxy.ts';

/** Everything around our processes: gateways, the network their webhooks take, and merchants' servers. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * Opens everything that listens on a clock, in milliseconds; always in the same order and so, where ports are given out in order, on the same
 * ports. `webs` are read with each request.
 */
export async function openWorld(seed: number, webs: readonly Replica[], now: () => number) {
  const simulators = await startSimulators(now);
  const send = sendInTurn(webs);
  const proxy = await openWebhookProxy(seed, send);
  const servers = await openMerchantServers(seed, now);
  return {
    simulators,
    send,
    proxy,
    servers,
    async close() {
      for (const each of [servers, proxy, simulators]) await each.close();
    },
  };
}
