import type { Dice } from './rng.ts';

/** What a gateway's stand-in can be told to do. */
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
/** What befalls one of our processes. */
const PROCESS_FAULTS = ['kill_web', 'kill_worker', 'pause_web', 'pause_worker'] as const;
const DATABASE_FAULTS = ['postgres_fast', 'postgres_immediate', 'connections_cut'] as const;
/** What happens to gateways' webhooks between them and us. */
export const WEBHOOK_FAULTS = [
  'webhooks_lost',
  'webhooks_delayed',
  'webhooks_reordered',
  'webhooks_repeated',
  'webhooks_forged',
  'webhooks_stale',
] as const;
/** How merchants' own servers take what we tell them. */
export const ENDPOINT_FAULTS = ['endpoint_500', 'endpoint_slow', 'endpoint_dead', 'endpoint_drops_answers'] as const;
/** One process's clock goes wrong, and right again at the end. */
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

/** Something that goes wrong for a while. */
export interface FaultPlan {
  readonly kind: FaultKind;
  /** From the beginning of its round. */
  readonly atMs: number;
  readonly lengthMs: number;
  /** Which of the things it can befall: a draw, to be taken modulo their number. */
  readonly which: number;
  /** For what the fault draws itself. */
  readonly seed: number;
}

export interface CoverageSpan {
  readonly rounds: number;
  readonly roundMs: number;
}

/** Things that go wrong one at a time: the next begins after the one before is over. */
interface Lane {
  readonly kinds: readonly FaultKind[];
  /** About this often, when there is time for more than each kind once. */
  readonly everyMs: number;
  /** What is always befallen here; left out, it is drawn. */
  readonly which?: number;
}

/** Each gateway has one fault at a time; both draw from one deck, so that every kind appears at one of them. */
function lanes(dice: Dice): readonly Lane[] {
  const gatewayKinds = dice.shuffled(GATEWAY_FAULTS);
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

/** Faults of each round, in the order they begin. Every kind appears, whatever the seed. */
export function planFaults(dice: Dice, { rounds, roundMs }: CoverageSpan): FaultPlan[][] {
  const plans: FaultPlan[][] = Array.from({ length: rounds }, () => []);
  for (const [at, lane] of lanes(dice.fork('lanes')).entries()) {
    const own = dice.fork(`lane-${at}`);
    const cards = lane.which === undefined ? lane.kinds.length : lane.kinds.length / 2;
    const perRound = Math.max(Math.ceil(cards / rounds), Math.floor(roundMs / lane.everyMs));
    const draw = endless(lane.which === undefined ? own : null, lane.kinds);
    for (const plan of plans) plan.push(...planRound(own, lane, draw, perRound, roundMs));
  }
  return plans.map((plan) => plan.sort((one, other) => one.atMs - other.atMs));
}

function planRound(dice: Dice, lane: Lane, draw: () => FaultKind, count: number, roundMs: number): FaultPlan[] {
  const slotMs = Math.floor(roundMs / count);
  return Array.from({ length: count }, (_, slot) => {
    const lengthMs = dice.between(Math.floor(slotMs * 0.3), Math.floor(slotMs * 0.7));
    const atMs = slot * slotMs + dice.between(0, slotMs - lengthMs);
    const which = lane.which ?? dice.between(0, 999);
    return { kind: draw(), atMs, lengthMs, which, seed: dice.between(1, 1_000_000) };
  });
}

/** Cards of a deck, one after the other and then from the beginning; shuffled before each time through when there are dice. */
function endless<T>(dice: Dice | null, cards: readonly T[]): () => T {
  let left: T[] = [];
  return () => {
    if (left.length === 0) left = dice === null ? [...cards].reverse() : dice.shuffled(cards);
    const card = left.pop();
    if (card === undefined) throw new Error('the deck is empty');
    return card;
  };
}
