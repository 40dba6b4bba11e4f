import { findGateway } from '@switchyard/gateways';
import type { Timing } from '@switchyard/sandbox';
import { GATEWAYS, type GatewayName } from '../../harness/gateways.ts';
import { drawsFor } from './rng.ts';

/** Differences of one gateway from others, for a whole run. */
export interface GatewayQuirks {
  /** True if our address is entered at the gateway; else status checks alone find what was paid. */
  readonly webhooks: boolean;
  /** True if the gateway sends webhooks about refunds too; at some they are off by default. */
  readonly refundWebhooks: boolean;
  /** Duration of a transfer, which is pending at the gateway until then. */
  readonly transferMs: number;
  /** Time from the acceptance of a refund to its end. */
  readonly refundMs: number;
  /** The share of payments whose refunds are accepted and fail in the end. */
  readonly failingRefunds: number;
}

export const PLAIN_QUIRKS: GatewayQuirks = {
  webhooks: true,
  refundWebhooks: true,
  transferMs: 0,
  refundMs: 500,
  failingRefunds: 0,
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Gateways that answer no questions about refunds: one whose answer was lost may be there or not, and one that fails looks like any other from here. */
export const SILENT_ABOUT_REFUNDS: readonly GatewayName[] = GATEWAYS.filter(
  (name) => findGateway(name)?.capabilities.missingLookups?.includes('findRefund') === true,
);

/** The quirks of a gateway in the world of a seed. */
export function quirksOf(seed: number, gateway: GatewayName): GatewayQuirks {
  const draws = drawsFor(seed, `quirks of ${gateway}`);
  const isHeard = !SILENT_ABOUT_REFUNDS.includes(gateway);
  return {
    webhooks: draws.chance(0.85),
    refundWebhooks: draws.chance(0.6),
    transferMs: draws.pick([0, 0, 0, 3_000, 5 * MINUTE_MS, 20 * MINUTE_MS]),
    refundMs: draws.pick([500, 500, 5 * MINUTE_MS, 5 * HOUR_MS, 48 * HOUR_MS]),
    failingRefunds: draws.chance(0.3) && isHeard ? 0.5 : 0,
  };
}

/** The quirks of gateways as settings of their simulators; which refunds fail is drawn from the seed, by the payment's reference. */
export function timingOf(seed: number, quirksAt: (gateway: string) => GatewayQuirks): Timing {
  return {
    transferMs: ({ gateway }) => quirksAt(gateway).transferMs,
    refundEnd({ gateway, reference }) {
      const { refundMs, failingRefunds } = quirksAt(gateway);
      const fails = drawsFor(seed, `refunds of ${reference}`).chance(failingRefunds);
      return { afterMs: refundMs, status: fails ? 'failed' : 'processed' };
    },
  };
}
