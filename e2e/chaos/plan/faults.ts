import { commonFaults, faultKindNames, type FaultKind as SimulatorFault, simulators } from '@switchyard/sandbox';
import { PAIR } from '../../harness/gateways.ts';
import type { Rng } from './rng.ts';

/** Faults of the gateways' simulators: those that all have, then those of some. */
const GATEWAY_FAULTS: readonly GatewayFault[] = [...commonFaults, ...faultKindNames.filter(isOfSome)];

function isOfSome(kind: GatewayFault): boolean {
  return !commonFaults.includes(kind) && PAIR.some((gateway) => simulators[gateway].faults.includes(kind));
}

/** Faults of one of our processes. */
const PROCESS_FAULTS = ['kill_web', 'kill_worker', 'pause_web', 'pause_worker'] as const;
export const DATABASE_FAULTS = ['postgres_fast', 'postgres_immediate', 'connections_cut'] as const;
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

export type GatewayFault = SimulatorFault;
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

/** Faults that run one at a time: the next begins after the one before has ended. */
interface FaultSequence {
  /** In this order, again and again. */
  readonly kinds: readonly FaultKind[];
  /** How many of the kinds every run has. */
  readonly least: number;
  /** About this often, when there is time for more. */
  readonly everyMs: number;
  /** The fixed target; drawn when left out. */
  readonly which?: number;
}

/**
 * Each of two gateways has one fault at a time. They share one shuffled list, each beginning at another place of it, so that every kind
 * appears at one of them; a fault that only some gateways have comes first there.
 */
function sequencesOf(rng: Rng): readonly FaultSequence[] {
  const shared = rng.shuffled(commonFaults);
  const part = Math.ceil(shared.length / PAIR.length);
  const atGateways = PAIR.map((gateway, which): FaultSequence => {
    const own = simulators[gateway].faults.filter((kind) => !commonFaults.includes(kind));
    const kinds = [...own, ...shared.slice(which * part), ...shared.slice(0, which * part)];
    return { kinds, least: own.length + part, everyMs: 3_000, which };
  });
  const drawn = (kinds: readonly FaultKind[], everyMs: number): FaultSequence => {
    return { kinds: rng.shuffled(kinds), least: kinds.length, everyMs };
  };
  return [
    ...atGateways,
    drawn([...PROCESS_FAULTS, 'kill_web', 'kill_worker'], 4_000),
    drawn(DATABASE_FAULTS, 12_000),
    drawn(WEBHOOK_FAULTS, 5_000),
    drawn(ENDPOINT_FAULTS, 5_000),
    drawn(CLOCK_FAULTS, 8_000),
  ];
}

/** Plans the faults of each round, in the order they begin. Every kind appears with every seed. */
export function planFaults(rng: Rng, { rounds, roundMs }: { rounds: number; roundMs: number }): FaultPlan[][] {
  const sequences = sequencesOf(rng);
  return Array.from({ length: rounds }, (_, round) => {
    const faults = sequences.flatMap((sequence) => planSequence(rng, sequence, round, rounds, roundMs));
    return faults.sort((one, other) => one.atMs - other.atMs);
  });
}

function planSequence(rng: Rng, sequence: FaultSequence, round: number, rounds: number, roundMs: number): FaultPlan[] {
  const { kinds, least, everyMs, which } = sequence;
  const count = Math.max(Math.ceil(least / rounds), Math.floor(roundMs / everyMs));
  const slotMs = Math.floor(roundMs / count);
  return Array.from({ length: count }, (_, slot) => {
    const kind = kinds[(round * count + slot) % kinds.length];
    if (kind === undefined) throw new Error('there are no faults');
    const lengthMs = rng.between(Math.floor(slotMs * 0.3), Math.floor(slotMs * 0.7));
    const atMs = slot * slotMs + rng.between(0, slotMs - lengthMs);
    return { kind, atMs, lengthMs, which: which ?? rng.between(0, 999), seed: rng.between(1, 1_000_000) };
  });
}
