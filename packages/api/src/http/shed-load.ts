import { IMPORTANCE, type Importance } from './request-kinds.ts';

/** When a process begins to shed requests. */
export interface SheddingLimits {
  /** Milliseconds by which timers are late for longer than a moment; null sheds nothing because of it. */
  readonly eventLoopDelayMs: number | null;
  /** Requests in flight, those that wait for gateways too; null for no limit. */
  readonly inFlightMax: number | null;
  /** Requests in flight that wait for this process or its database; null for no limit. */
  readonly ownMax: number | null;
}

/** Requests in flight. */
export interface InFlight {
  readonly all: number;
  /** Of them, those that wait for a gateway: they cost memory, and nothing else. */
  readonly atGateways: number;
}

/** Decides which requests are answered 503 at once while the process has more to do than it can. */
export interface Shedder {
  /** Whether to answer a request of this importance. Call once for each. */
  admits(importance: Importance, inFlight: InFlight): boolean;
  /**
   * How many classes are shed, the least important first, in [0, 6]: 2.25 sheds the two least important ones and a quarter of the
   * third.
   */
  readonly pressure: number;
  /** Starts measuring the delay of the event loop, until the process ends. */
  start(): void;
  /** Takes one measured delay, every {@link SAMPLE_MS}. */
  sample(delayMs: number): void;
}

/** Between two measurements of the delay. */
export const SAMPLE_MS = 50;
/** A delay counts when it lasts over this many measurements: one pause of the garbage collector is no overload. */
const SAMPLES = 3;
/** Change of the pressure for each measurement at twice the limit, and without any delay. */
const RISE = 0.25;
const FALL = 0.05;

const CLASSES = IMPORTANCE.length;
/** Share of the limits of requests in flight that each class may fill, in the order of {@link IMPORTANCE}. */
const IN_FLIGHT_SHARE = [0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;

/**
 * A thousand requests of our own are about a second's work for two processors: who came behind them would be refused by the database's
 * queue after two seconds, when all of its work but the last step was done. The delay of the event loop that is right depends on the
 * machine: one that shares its processors is late without having too much to do.
 */
const DEFAULTS: SheddingLimits = { eventLoopDelayMs: null, inFlightMax: 4_000, ownMax: 1_000 };

/**
 * Reads `SHED_EVENT_LOOP_DELAY_MS`, off unless set, `SHED_IN_FLIGHT_MAX`, 4,000 unless set, and `SHED_OWN_MAX`, 1,000 unless set; 0
 * switches one off.
 */
export function readSheddingLimits(environment: Readonly<Record<string, string | undefined>>): SheddingLimits {
  const limit = (text: string | undefined, usual: number | null) =>
    text === undefined || text === '' ? usual : Number(text) || null;
  return {
    eventLoopDelayMs: limit(environment.SHED_EVENT_LOOP_DELAY_MS, DEFAULTS.eventLoopDelayMs),
    inFlightMax: limit(environment.SHED_IN_FLIGHT_MAX, DEFAULTS.inFlightMax),
    ownMax: limit(environment.SHED_OWN_MAX, DEFAULTS.ownMax),
  };
}

/**
 * Sheds the least important class first, and only as much of it as needed. The delay of the event loop says how much work waits for
 * the CPU: the pressure rises while it is above its limit and falls while it is below, so that it settles where the process is busy
 * and not late. Of a class that is shed in part every n-th request goes, so that nothing is left to chance.
 */
export function createShedder({ eventLoopDelayMs, inFlightMax, ownMax }: SheddingLimits): Shedder {
  const recent: number[] = [];
  const owed = new Array<number>(CLASSES).fill(0);
  let pressure = 0;

  function sample(delayMs: number): void {
    if (eventLoopDelayMs === null) return;
    recent.push(delayMs);
    if (recent.length > SAMPLES) recent.shift();
    const lasting = recent.length < SAMPLES ? 0 : Math.min(...recent);
    const excess = lasting / eventLoopDelayMs - 1;
    pressure = clamp(pressure + (excess > 0 ? RISE * Math.min(excess, 1) : FALL * excess), 0, CLASSES);
  }

  return {
    get pressure() {
      return pressure;
    },
    sample,
    start() {
      if (eventLoopDelayMs === null) return;
      let expected = performance.now() + SAMPLE_MS;
      setInterval(() => {
        const now = performance.now();
        sample(Math.max(0, now - expected));
        expected = now + SAMPLE_MS;
      }, SAMPLE_MS).unref();
    },
    admits(importance, inFlight) {
      const rank = IMPORTANCE.indexOf(importance);
      const own = Math.max(0, inFlight.all - inFlight.atGateways);
      const part = IN_FLIGHT_SHARE[rank] ?? 1;
      if (inFlightMax !== null && inFlight.all > inFlightMax * part) return false;
      if (ownMax !== null && own > ownMax * part) return false;
      const share = clamp(pressure - rank, 0, 1);
      if (share === 0) return true;
      const owes = (owed[rank] ?? 0) + share;
      owed[rank] = owes >= 1 ? owes - 1 : owes;
      return owes < 1;
    },
  };
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
