import { commonFaults, type FaultKind as GatewayFault } from '@switchyard/sandbox';

export type { GatewayFault };

/** Faults of gateways, each of the pair. */
export const GATEWAY_FAULTS: readonly GatewayFault[] = commonFaults;

/** Faults of our processes and of what they stand on. Which of them can be had depends on where a plan is run. */
export const OWN_FAULTS = [
  'crash_web',
  'crash_worker',
  'pause_web',
  'pause_worker',
  'clock_ahead',
  'clock_behind',
  'database_away',
  'database_crash',
  'connections_cut',
  'statements_lost',
  'statements_timed_out',
  'database_slow',
] as const;

/** Faults of the network between gateways, merchants and our processes. */
export const NETWORK_FAULTS = [
  'gateway_lossy',
  'gateway_late',
  'gateway_half_open',
  'gateway_refuses',
  'webhook_flood',
  'webhooks_late',
  'merchant_lossy',
] as const;

/** Faults of gateways' webhooks on their way. */
export const WEBHOOK_FAULTS = [
  'webhooks_delayed',
  'webhooks_repeated',
  'webhooks_replayed',
  /** All of them arrive when it ends, in another order. */
  'webhooks_held',
] as const;

/** Faults of merchants' own servers. */
export const ENDPOINT_FAULTS = [
  'endpoint_500',
  'endpoint_302',
  'endpoint_slow',
  'endpoint_dead',
  'endpoint_drops_answers',
] as const;

export type OwnFault = (typeof OWN_FAULTS)[number];
export type NetworkFault = (typeof NETWORK_FAULTS)[number];
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];
export type EndpointFault = (typeof ENDPOINT_FAULTS)[number];
export type FaultKind = OwnFault | NetworkFault | GatewayFault | WebhookFault | EndpointFault;

/** A fault with its time and length. */
export interface FaultPlan {
  readonly kind: FaultKind;
  /** From the beginning of the busy time. */
  readonly atMs: number;
  readonly lengthMs: number;
  /** Selects the target: modulo the number of targets. */
  readonly which: number;
  /** Seed for the draws of the fault itself. */
  readonly seed: number;
}

/** Under these a checkout may open whose answer is lost. */
const LOSING: readonly FaultKind[] = [
  'slow',
  'broken_json',
  'huge_body',
  'timeout_after_create',
  'crash_web',
  'gateway_lossy',
  'gateway_late',
  'gateway_half_open',
];

/** True if a checkout may open at this time whose answer is lost. */
export function mayLoseAnswers(faults: readonly FaultPlan[], timeMs: number): boolean {
  return faults.some(({ kind, atMs, lengthMs }) => LOSING.includes(kind) && timeMs >= atMs - 500 && timeMs <= atMs + lengthMs);
}
