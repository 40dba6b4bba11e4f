import { type Environment, readSettings, SETTINGS } from '@switchyard/runtime/settings';
import { IMPORTANCE, type Importance } from '../http/request-kinds.ts';

/** When a process begins to shed requests. */
export interface SheddingLimits {
  /** Requests in flight, those that wait for gateways too; null for no limit. */
  readonly inFlightMax: number | null;
  /** Most requests in flight that wait for this process or its database; fewer where these take too long. Null for no limit. */
  readonly ownMax: number | null;
  /** Milliseconds that reads and the dashboard wait for their turn; null when they do not take turns. */
  readonly waitMaxMs: number | null;
}

/** Requests in flight, without those that wait for their turn. */
export interface InFlight {
  readonly all: number;
  /** Those among them that wait for a gateway: they cost memory, and nothing else. */
  readonly atGateways: number;
}

/** Decides which requests are answered 503 at once while the process has more to do than it can. */
export interface Shedder {
  /** True if a request of this importance is to be answered. Call once for each. */
  admits(importance: Importance, inFlight: InFlight): boolean;
  /** True while the process has room for one more request of its own of this importance. */
  hasCapacity(importance: Importance, own: number): boolean;
  /** Requests of our own that may be in flight now, of the most important class; null for no limit. */
  readonly ownLimit: number | null;
  /** Takes the requests of our own in flight and how many ended since the last call, every {@link SAMPLE_MS}. */
  observe(load: { readonly own: number; readonly ended: number }): void;
}

/** Between two measurements of the load. */
export const SAMPLE_MS = 50;

/** Over so many measurements it is counted how many requests end. */
const RATE_SAMPLES = 5;
/** Milliseconds that requests of our own may take on average, by the number in flight and how many end in a second (Little's law). */
const OWN_WAIT_MS = 500;
/**
 * Requests of our own in flight from which one slow measurement is enough. With fewer it takes two in a row: a pause of the machine makes
 * one as slow as too much work does.
 */
const OWN_MANY = 256;
/** Fewest requests of our own that are admitted, however slow the process is. */
const OWN_MIN = 24;
const OWN_SHRINK = 0.8;
const OWN_GROW = 1.25;

/** Share of the limits of requests in flight that each class may fill, in the order of {@link IMPORTANCE}. */
const IN_FLIGHT_SHARE = [0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;

const SHEDDING_SETTINGS = SETTINGS.pick({ SHED_IN_FLIGHT_MAX: true, SHED_OWN_MAX: true, SHED_WAIT_MS: true });

/**
 * Reads the limits of an environment. By default a thousand requests of our own, which are about a second's work for two processors: who
 * came behind them would be refused by the database's queue after two seconds, when all of its work but the last step was done.
 */
export function readSheddingLimits(environment: Environment): SheddingLimits {
  const settings = readSettings(SHEDDING_SETTINGS, environment);
  return { inFlightMax: settings.SHED_IN_FLIGHT_MAX, ownMax: settings.SHED_OWN_MAX, waitMaxMs: settings.SHED_WAIT_MS };
}

/**
 * Sheds the least important class first, and only as much of it as needed. Of our own requests fewer are admitted while they take longer
 * than half a second on average, so that those admitted are answered in time at whatever pace the machine has. While none ends, the
 * database is away and nothing is concluded.
 */
export function createShedder({ inFlightMax, ownMax }: SheddingLimits): Shedder {
  let ownLimit = ownMax;
  let ended = 0;
  let observed = 0;
  let wasSlow = false;

  function observe(load: Parameters<Shedder['observe']>[0]): void {
    if (ownMax === null || ownLimit === null) return;
    ended += load.ended;
    observed += 1;
    if (observed < RATE_SAMPLES) return;
    const waitMs = (load.own * RATE_SAMPLES * SAMPLE_MS) / ended;
    const isSlow = ended > 0 && load.own > OWN_MIN && waitMs > OWN_WAIT_MS;
    if (!isSlow) ownLimit = Math.min(ownMax, Math.ceil(ownLimit * OWN_GROW));
    else if (wasSlow || load.own >= OWN_MANY) {
      ownLimit = Math.max(OWN_MIN, Math.floor(Math.min(ownLimit, load.own) * OWN_SHRINK));
    }
    wasSlow = isSlow;
    ended = 0;
    observed = 0;
  }

  function hasCapacity(importance: Importance, own: number): boolean {
    return ownLimit === null || own <= ownLimit * (IN_FLIGHT_SHARE[IMPORTANCE.indexOf(importance)] ?? 1);
  }

  return {
    hasCapacity,
    get ownLimit() {
      return ownLimit;
    },
    observe,
    admits(importance, inFlight) {
      const rank = IMPORTANCE.indexOf(importance);
      const own = Math.max(0, inFlight.all - inFlight.atGateways);
      const part = IN_FLIGHT_SHARE[rank] ?? 1;
      if (inFlightMax !== null && inFlight.all > inFlightMax * part) return false;
      return hasCapacity(importance, own);
    },
  };
}
