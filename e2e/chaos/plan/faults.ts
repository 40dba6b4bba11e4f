import type { Rng } from './rng.ts';

/** Faults of a gateway's simulator. */
export const GATEWAY_FAULTS = [
  'down',
  'slow',
  'hang',
  'http_500',
  'html_502',
  'broken_json',
  'huge_body',
  'timeout_after_create',
  'invalid_key',
  'rate_limited',
  'duplicate_webhook',
  'webhook_before_redirect',
  'forged_webhook',
  'no_webhook',
  'underpaid',
  'overpaid',
] as const;
/** Faults of one of our processes. */
const PROCESS_FAULTS = ['kill_web', 'kill_worker', 'pause_web', 'pause_worker'] as const;
const DATABASE_FAULTS = ['postgres_fast', 'postgres_immediate', 'connections_cut'] as const;
/** Faults of gateways' webhooks on the network. */
export const WEBHOOK_FAULTS = [
  'webhooks_lost',
  'webhooks_delayed',
  'webhooks_reordered',
  'webhooks_repeated',
  'webhooks_forged',
  'webhooks_stale',
] as const;
/** Faults of merchants' own servers. */
export const ENDPOINT_FAULTS = ['endpoint_500', 'endpoint_slow', 'endpoint_dead', 'endpoint_drops_answers'] as const;
/** One process's clock is off for the length of the fault. */
const CLOCK_FAULTS = ['clock_ahead', 'clock_behind'] as const;

export type GatewayFault = (typeof GATEWAY_FAULTS)[number];
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];
export type EndpointFault = (typeof ENDPOINT_FAULTS)[number];
type OtherFault = (typeof PROCESS_FAULTS)[number] | (typeof DATABASE_FAULTS)[number] | (typeof CLOCK_FAULTS)[number];
export type FaultKind = GatewayFault | WebhookFault | EndpointFault | OtherFault;

export const FAULT_KINDS: readonly FaultKind[] = [
  ...GATEWAY_FAULTS,
  ...PROCESS_FAULTS,
  ...DATABASE_FAULTS,
  ...WEBHOOK_FAULTS,
  ...ENDPOINT_FAULTS,
  ...CLOCK_FAULTS,
];

/** A fault with its time and length. */
export interface FaultPlan {
  readonly kind: FaultKind;
  /** From the start of its round. */
  readonly atMs: number;
  readonly lengthMs: number;
  /** Selects the target: a draw, modulo the number of targets. */
  readonly which: number;
  /** Seed for the draws of the fault itself. */
  readonly seed: number;
}

export interface CoverageSpan {
  readonly rounds: number;
  readonly roundMs: number;
}

/** Faults that run one at a time: the next begins after the one before has ended. */
interface FaultSequence {
  readonly kinds: readonly FaultKind[];
  /** About this often, when there is time for more than each kind once. */
  readonly everyMs: number;
  /** The fixed target; drawn when left out. */
  readonly which?: number;
}

/** Each gateway has one fault at a time; both share one shuffled list, so that every kind appears at one of them. */
function sequences(rng: Rng): readonly FaultSequence[] {
  const gatewayKinds = rng.shuffled(GATEWAY_FAULTS);
  const half = gatewayKinds.length / 2;
  return [
    { kinds: [...gatewayKinds.slice(0, half), ...gatewayKinds.slice(half)], everyMs: 3_000, which: 0 },
    { kinds: [...gatewayKinds.slice(half), ...gatewayKinds.slice(0, half)], everyMs: 3_000, which: 1 },
    { kinds: ['kill_web', 'kill_web', 'kill_worker', 'kill_worker', 'pause_web', 'pause_worker'], everyMs: 4_000 },
    { kinds: DATABASE_FAULTS, everyMs: 12_000 },
    { kinds: WEBHOOK_FAULTS, everyMs: 5_000 },
    { kinds: ENDPOINT_FAULTS, everyMs: 5_000 },
    { kinds: CLOCK_FAULTS, everyMs: 8_000 },
  ];
}

/** Plans the faults of each round, in the order they begin. Every kind appears with every seed. */
export function planFaults(rng: Rng, { rounds, roundMs }: CoverageSpan): FaultPlan[][] {
  const plans: FaultPlan[][] = Array.from({ length: rounds }, () => []);
  for (const [at, sequence] of sequences(rng.fork('lanes')).entries()) {
    const own = rng.fork(`lane-${at}`);
    const count = sequence.which === undefined ? sequence.kinds.length : sequence.kinds.length / 2;
    const perRound = Math.max(Math.ceil(count / rounds), Math.floor(roundMs / sequence.everyMs));
    const draw = cycle(sequence.which === undefined ? own : null, sequence.kinds);
    for (const plan of plans) plan.push(...planRound(own, sequence, draw, perRound, roundMs));
  }
  return plans.map((plan) => plan.sort((one, other) => one.atMs - other.atMs));
}

function planRound(rng: Rng, sequence: FaultSequence, draw: () => FaultKind, count: number, roundMs: number): FaultPlan[] {
  const slotMs = Math.floor(roundMs / count);
  return Array.from({ length: count }, (_, slot) => {
    const lengthMs = rng.between(Math.floor(slotMs * 0.3), Math.floor(slotMs * 0.7));
    const atMs = slot * slotMs + rng.between(0, slotMs - lengthMs);
    const which = sequence.which ?? rng.between(0, 999);
    return { kind: draw(), atMs, lengthMs, which, seed: rng.between(1, 1_000_000) };
  });
}

/** Cycles through items, shuffled before each pass when there is a generator. */
function cycle<T>(rng: Rng | null, items: readonly T[]): () => T {
  let left: T[] = [];
  return () => {
    if (left.length === 0) left = rng === null ? [...items].reverse() : rng.shuffled(items);
    const item = left.pop();
    if (item === undefined) throw new Error('there are no items');
    return item;
  };
}
