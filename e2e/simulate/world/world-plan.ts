import {
  ENDPOINT_FAULTS,
  type EndpointFault,
  type GatewayFault,
  WEBHOOK_FAULTS,
  type WebhookFault,
} from '../../chaos/plan/faults.ts';
import type { PaymentPlan } from '../../chaos/plan/payments.ts';
import type { Pace } from '../kernel/pace.ts';

/** Faults of our processes and what they stand on. */
export const OWN_FAULTS = [
  'crash_web',
  'crash_worker',
  'pause_web',
  'pause_worker',
  'clock_ahead',
  'clock_behind',
  'database_away',
  'connections_cut',
  'statements_lost',
  'statements_timed_out',
  'database_slow',
] as const;
export const NETWORK_FAULTS = [
  'gateway_lossy',
  'gateway_late',
  'gateway_half_open',
  'gateway_refuses',
  'webhook_flood',
  'webhooks_late',
  'merchant_lossy',
] as const;
export const GATEWAY_FAULTS: readonly GatewayFault[] = [
  'slow',
  'hang',
  'http_500',
  'html_502',
  'broken_json',
  'timeout_after_create',
  'invalid_key',
  'rate_limited',
  'down',
  'duplicate_webhook',
  'webhook_before_redirect',
  'forged_webhook',
  'no_webhook',
  'underpaid',
  'overpaid',
];

/** Everything that may befall a world. */
export const SIMULATED_FAULTS: readonly SimulatedFault[] = [
  ...OWN_FAULTS,
  ...NETWORK_FAULTS,
  ...GATEWAY_FAULTS,
  ...WEBHOOK_FAULTS,
  ...ENDPOINT_FAULTS,
];

export type OwnFault = (typeof OWN_FAULTS)[number];
export type NetworkFault = (typeof NETWORK_FAULTS)[number];
export type SimulatedFault = OwnFault | NetworkFault | GatewayFault | WebhookFault | EndpointFault;

export interface SimulatedFaultPlan {
  readonly kind: SimulatedFault;
  readonly atMs: number;
  readonly lengthMs: number;
  /** Selects the target: modulo the number of targets. */
  readonly which: number;
  readonly seed: number;
}

/** Weaknesses that a world may be about: its customers and its faults are drawn for one of them. */
export const THEMES = [
  'second_attempts',
  'refunds_under_doubt',
  'stalled_processes',
  'crashes_around_calls',
  'slow_database',
  'clock_jumps',
] as const;

export type Theme = (typeof THEMES)[number];

/** One payment of a world, with what a chaos run does not do. */
export interface SimulatedPayment extends PaymentPlan {
  /** Whether the customer first pays at every checkout but the one whose address was given out. */
  readonly paysElsewhereFirst: boolean;
  /** How long after its payment the merchant asks for the refund. */
  readonly refundAfterMs: number;
}

/** Everything a world does, from one number. */
export interface WorldPlan {
  readonly seed: number;
  /** What it is about; null when it is about everything. */
  readonly theme: Theme | null;
  /** From the time the database was made: worlds begin at every time of day. */
  readonly beginAfterMs: number;
  readonly webs: number;
  readonly workers: number;
  readonly pace: Pace;
  /** How long payments and faults begin. */
  readonly busyMs: number;
  readonly payments: readonly SimulatedPayment[];
  readonly faults: readonly SimulatedFaultPlan[];
  /** One that lasts while sessions end, long after the others. */
  readonly outage: SimulatedFaultPlan | null;
  /** Milliseconds that a round trip to the database, and to anything else, takes at most while nothing is wrong with either. */
  readonly databaseLatencyMs: number;
  readonly networkLatencyMs: number;
  /** How long polls stay frequent after the last fault. */
  readonly quietMs: number;
}
