import type { GatewayName } from '../../harness/gateways.ts';
import {
  ENDPOINT_FAULTS,
  type FaultKind,
  GATEWAY_FAULTS,
  NETWORK_FAULTS,
  OWN_FAULTS,
  WEBHOOK_FAULTS,
} from '../../world/plan/faults.ts';
import type { Plan } from '../../world/plan/plan.ts';
import type { GatewayQuirks } from '../../world/plan/quirks.ts';
import type { Pace } from '../kernel/scheduler.ts';

/** A server of its own, which could crash, is nothing that the database of a world has. */
const OWN: readonly FaultKind[] = OWN_FAULTS.filter((kind) => kind !== 'database_crash');
/** Long answers take the machine's time, and show nothing that broken ones do not. */
const GATEWAY: readonly FaultKind[] = GATEWAY_FAULTS.filter((kind) => kind !== 'huge_body');

/** Faults of a world, by group. Each group is drawn as often as it stands here. */
export const FAULT_GROUPS: readonly (readonly FaultKind[])[] = [
  OWN,
  OWN,
  NETWORK_FAULTS,
  NETWORK_FAULTS,
  GATEWAY,
  GATEWAY,
  WEBHOOK_FAULTS,
  ENDPOINT_FAULTS,
];

/** Weaknesses that a world may be about: its customers and its faults are drawn for one of them. */
export const THEMES = [
  'second_attempts',
  'refunds_under_doubt',
  'stalled_processes',
  'crashes_around_calls',
  'slow_database',
  'clock_jumps',
  'long_faults',
] as const;

export type Theme = (typeof THEMES)[number];

/** Everything a world does, from one number. */
export interface WorldPlan extends Plan {
  /** Theme of the world; null for all themes. */
  readonly theme: Theme | null;
  /** From the time the database was made: worlds begin at every time of day. */
  readonly beginAfterMs: number;
  readonly webs: number;
  readonly workers: number;
  readonly pace: Pace;
  /** Its merchants, by their places among all that every database begins with. */
  readonly merchants: readonly number[];
  readonly quirks: Readonly<Record<GatewayName, GatewayQuirks>>;
  /** Milliseconds that a round trip to the database, and to anything else, takes at most while nothing is wrong with either. */
  readonly databaseLatencyMs: number;
  readonly networkLatencyMs: number;
}
