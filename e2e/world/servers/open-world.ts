import { isGatewayName } from '@switchyard/sandbox';
import type { GatewayName } from '../../harness/gateways.ts';
import { type GatewayQuirks, PLAIN_QUIRKS, timingOf } from '../plan/quirks.ts';
import { openMerchantServers } from './merchant-servers.ts';
import { type Replica, sendInTurn } from './send.ts';
import { startSimulators } from './simulators.ts';
import { openWebhookProxy } from './webhook-proxy.ts';

/** Everything around our processes: gateways, the network their webhooks take, and merchants' servers. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** The gateways of a world's merchants; they have no quirks unless given. */
export interface WorldGateways {
  readonly gateways: readonly GatewayName[];
  readonly quirks?: Readonly<Record<GatewayName, GatewayQuirks>> | null;
}

/**
 * Opens everything that listens on a clock, in milliseconds; always in the same order and so, where ports are given out in order, on the same
 * ports. `webs` are read with each request.
 */
export async function openWorld(
  seed: number,
  webs: readonly Replica[],
  now: () => number,
  { gateways, quirks = null }: WorldGateways,
) {
  const timing = timingOf(seed, (gateway) => (quirks !== null && isGatewayName(gateway) ? quirks[gateway] : PLAIN_QUIRKS));
  const simulators = await startSimulators(now, gateways, timing);
  const send = sendInTurn(webs);
  const proxy = await openWebhookProxy(seed, send);
  const servers = await openMerchantServers(seed, now);
  return {
    gateways,
    simulators,
    send,
    proxy,
    servers,
    async close() {
      for (const each of [servers, proxy, simulators]) await each.close();
    },
  };
}
