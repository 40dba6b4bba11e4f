import { setTimeout as pause } from 'node:timers/promises';
import { type Host, type Slack, targetOf } from '../../world/drive/inject-faults.ts';
import type { FaultPlan } from '../../world/plan/faults.ts';
import { drawsFor } from '../../world/plan/rng.ts';
import type { World } from '../../world/servers/open-world.ts';
import type { Stretch } from '../kernel/scheduler.ts';

/** Actions of the world on our processes and the database, and its view of the database. */
export interface WorldHost {
  readonly webs: readonly ProcessControl[];
  readonly workers: readonly ProcessControl[];
  /** Rows of a statement, each as JSON; run between the statements of our processes. */
  rows(statement: string): Promise<readonly unknown[]>;
  readonly database: DatabaseControl;
  /** The network on the way to addresses that begin with this. */
  setConditions(address: string, conditions: NetworkTrouble | null): void;
  /** Timers of our processes wait longer; null ends it. */
  starve(stretch: Stretch | null): void;
  /** Writes a line of the run's log. */
  note(line: string): void;
}

export interface ProcessControl {
  readonly name: string;
  /** Where it listens; a worker listens nowhere. */
  readonly url: string;
  /** Kills it after this many more of its events, and starts it again later. What it gives calls off a crash that is still to come. */
  crash(afterEvents: number, downMs: number): () => void;
  pause(milliseconds: number): void;
  /** Sets its clock this far ahead of the world's. */
  setAhead(milliseconds: number): void;
  isReady(): boolean;
}

export interface DatabaseControl {
  setAway(isAway: boolean): void;
  cutConnections(): void;
  /** How likely each statement loses its connection or exceeds its time. */
  setTrouble(trouble: { readonly loss: number; readonly timeout: number; readonly latencyMs: number } | null): void;
}

/** How the network behaves; each but the milliseconds is how likely a request is hit. */
interface NetworkTrouble {
  readonly latencyMs?: number;
  readonly lateMs?: number;
  readonly refused?: number;
  readonly requestLost?: number;
  readonly answerLost?: number;
  readonly halfOpen?: number;
  readonly late?: number;
  readonly repeated?: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** At the beginning and at the end of a longer wait for what happens after days; between them, processes stand still: they have nothing to do. */
const AWAKE_MS = 3 * 24 * HOUR_MS;
/** Timers wait for less than 25 days. */
const LONGEST_PAUSE_MS = 20 * 24 * HOUR_MS;

/** While nothing but time passes, timers wait longer: polls of every second are made every few seconds, every minute, every hour, or twice a day. */
const STRETCHES: Readonly<Record<Slack, Parameters<WorldHost['starve']>[0]>> = {
  seconds: { fromMs: 900, factor: 6 },
  minutes: {
    fromMs: 900,
    factor: 60,
    kinds: { watch: 600, heartbeat: 300, beat: 300 },
    longestMs: { poll: 10 * MINUTE_MS, queue: 40 * MINUTE_MS },
  },
  hours: {
    fromMs: 200,
    factor: 4_000,
    kinds: { queue: 2_000, watch: 8_000, heartbeat: 8_000, beat: 40_000 },
    longestMs: { poll: 11 * HOUR_MS, queue: 22 * HOUR_MS },
  },
  days: {
    fromMs: 200,
    factor: 10_000,
    kinds: { queue: 2_000, watch: 20_000, heartbeat: 20_000, beat: 80_000 },
    longestMs: { poll: 24 * HOUR_MS, queue: 24 * HOUR_MS },
  },
};

/** The host of a world in virtual time. */
export function virtualHost(host: WorldHost, world: World): Host {
  return {
    rows: host.rows,
    note: host.note,
    comparesLists: true,
    begin: async (fault) => beginOwn(host, world, fault),
    async untilReady() {
      while (![...host.webs, ...host.workers].every((each) => each.isReady())) await pause(100);
    },
    async pass(milliseconds, slack) {
      host.starve(STRETCHES[slack]);
      const sleptMs = milliseconds - 2 * AWAKE_MS;
      if (slack === 'days' && sleptMs > 0) {
        await pause(AWAKE_MS);
        for (const each of [...host.webs, ...host.workers]) each.pause(sleptMs);
        for (let left = sleptMs; left > 0; left -= LONGEST_PAUSE_MS) await pause(Math.min(left, LONGEST_PAUSE_MS));
        await pause(AWAKE_MS);
      } else await pause(milliseconds);
      host.starve(null);
    },
  };
}

function beginOwn(host: WorldHost, { gateways, simulators, proxy, servers }: World, fault: FaultPlan): () => void {
  const { kind, which, seed, lengthMs } = fault;
  const { webs, workers, database } = host;
  const nothing = (): void => undefined;
  const trouble = (how: Parameters<typeof database.setTrouble>[0]): (() => void) => {
    database.setTrouble(how);
    return () => database.setTrouble(null);
  };
  const conditions = (address: string, how: NetworkTrouble): (() => void) => {
    host.setConditions(address, how);
    return () => host.setConditions(address, null);
  };
  const gateway = simulators.baseUrlOf(targetOf(gateways, which));
  switch (kind) {
    case 'crash_web':
      return targetOf(webs, which).crash(eventsBeforeCrash(seed), lengthMs);
    case 'crash_worker':
      return targetOf(workers, which).crash(eventsBeforeCrash(seed), lengthMs);
    case 'pause_web':
      targetOf(webs, which).pause(lengthMs);
      return nothing;
    case 'pause_worker':
      targetOf(workers, which).pause(lengthMs * 4);
      return nothing;
    case 'clock_ahead':
    case 'clock_behind': {
      const machine = targetOf([...webs, ...workers], which);
      const offMs = drawsFor(seed, kind).between(1_000, 600_000);
      machine.setAhead(kind === 'clock_ahead' ? offMs : -offMs);
      return () => machine.setAhead(0);
    }
    case 'database_away':
      database.setAway(true);
      return () => database.setAway(false);
    case 'connections_cut':
      database.cutConnections();
      return nothing;
    case 'statements_lost':
      return trouble({ loss: 0.05, timeout: 0, latencyMs: 2 });
    case 'statements_timed_out':
      return trouble({ loss: 0, timeout: 0.05, latencyMs: 2 });
    case 'database_slow':
      return trouble({ loss: 0, timeout: 0.01, latencyMs: 1_500 });
    case 'gateway_lossy':
      return conditions(gateway, { requestLost: 0.2, answerLost: 0.3 });
    case 'gateway_late':
      return conditions(gateway, { late: 0.5, lateMs: 4 * 3_600_000, latencyMs: 2_000 });
    case 'gateway_half_open':
      return conditions(gateway, { halfOpen: 0.5 });
    case 'gateway_refuses':
      return conditions(gateway, { refused: 0.7 });
    case 'webhook_flood':
      return conditions(proxy.url, { repeated: 0.9, latencyMs: 300 });
    case 'webhooks_late':
      return conditions(proxy.url, { late: 0.6, lateMs: 3 * 3_600_000 });
    case 'merchant_lossy':
      return conditions(new URL(servers.nextUrl()).origin, { requestLost: 0.2, answerLost: 0.3, halfOpen: 0.1 });
    default:
      throw new Error(`a world in virtual time cannot have ${kind}`);
  }
}

/** Between any two things that a process waits for, most often near those of a payment. */
function eventsBeforeCrash(seed: number): number {
  const draws = drawsFor(seed, 'crash');
  return draws.between(0, draws.pick([10, 60, 300]));
}
