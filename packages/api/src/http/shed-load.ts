import { IMPORTANCE, type Importance } from './request-kinds.ts';

/** When a process begins to shed requests. */
export interface SheddingLimits {
  /** Milliseconds by which timers are late for longer than a moment; null sheds nothing because of it. */
  readonly eventLoopDelayMs: number | null;
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
  /** Of them, those that wait for a gateway: they cost memory, and nothing else. */
  readonly atGateways: number;
}

/** Decides which requests are answered 503 at once while the process has more to do than it can. */
export interface Shedder {
  /** True if a request of this importance is to be answered. Call once for each. */
  admits(importance: Importance, inFlight: InFlight): boolean;
  /** True while the process has room for one more request of its own of this importance. */
  hasCapacity(importance: Importance, own: number): boolean;
  /**
   * How many classes are shed, the least important first, in [0, 6]: 2.25 sheds the two least important ones and a quarter of the
   * third.
   */
  readonly pressure: number;
  /** Requests of our own that may be in flight now, of the most important class; null for no limit. */
  readonly ownLimit: number | null;
  /** Starts measuring the delay of the event loop, until the process ends. `sampled` gets each delay too. */
  start(sampled: (delayMs: number) => void): void;
  /** Takes one measured delay, every {@link SAMPLE_MS}. */
  sample(delayMs: number): void;
  /** Takes the requests of our own in flight and how many ended since the last call, every {@link SAMPLE_MS}. */
  observe(load: { readonly own: number; readonly ended: number }): void;
}

/** Between two measurements of the delay. */
export const SAMPLE_MS = 50;
/** A delay counts when it lasts over this many measurements: one pause of the garbage collector is no overload. */
const SAMPLES = 3;
/** Change of the pressure for each measurement at twice the limit, and without any delay. */
const RISE = 0.25;
const FALL = 0.05;

/** Over so many measurements it is counted how many requests end. */
const RATE_SAMPLES = 5;
/** Milliseconds that requests of our own may take on average, by the number in flight and how many end in a second (Little's law). */
const OWN_WAIT_MS = 500;
/** Fewest requests of our own that are admitted, however slow the process is. */
const OWN_MIN = 24;
const OWN_SHRINK = 0.8;
const OWN_GROW = 1.25;

const CLASSES = IMPORTANCE.length;
/** Share of the limits of requests in flight that each class may fill, in the order of {@link IMPORTANCE}. */
const IN_FLIGHT_SHARE = [0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;

/**
 * A thousand requests of our own are about a second's work for two processors: who came behind them would be refused by the database's
 * queue after two seconds, when all of its work but the last step was done. The delay of the event loop that is right depends on the
 * machine: one that shares its processors is late without having too much to do.
 */
const DEFAULTS: SheddingLimits = { eventLoopDelayMs: null, inFlightMax: 4_000, ownMax: 1_000, waitMaxMs: 3_000 };

/**
 * Reads `SHED_EVENT_LOOP_DELAY_MS`, off unless set, `SHED_IN_FLIGHT_MAX`, 4,000 unless set, `SHED_OWN_MAX`, 1,000 unless set, and
 * `SHED_WAIT_MS`, 3,000 unless set; 0 switches one off.
 */
export function readSheddingLimits(environment: Readonly<Record<string, string | undefined>>): SheddingLimits {
  const limit = (text: string | undefined, usual: number | null) =>
    text === undefined || text === '' ? usual : Number(text) || null;
  return {
    eventLoopDelayMs: limit(environment.SHED_EVENT_LOOP_DELAY_MS, DEFAULTS.eventLoopDelayMs),
    inFlightMax: limit(environment.SHED_IN_FLIGHT_MAX, DEFAULTS.inFlightMax),
    ownMax: limit(environment.SHED_OWN_MAX, DEFAULTS.ownMax),
    waitMaxMs: limit(environment.SHED_WAIT_MS, DEFAULTS.waitMaxMs),
  };
}

/**
 * Sheds the least important class first, and only as much of it as needed. The delay of the event loop says how much work waits for
 * the CPU: the pressure rises while it is above its limit and falls while it is below, so that it settles where the process is busy
 * and not late. Of a class that is shed in part every n-th request goes, so that nothing is left to chance.
 *
 * Of our own requests fewer are admitted while they take longer than half a second on average, so that those admitted are answered in
 * time at whatever pace the machine has. While none ends, the database is away and nothing is concluded.
 */
export function createShedder({ eventLoopDelayMs, inFlightMax, ownMax }: SheddingLimits): Shedder {
  let ownLimit = ownMax;
  let ended = 0;
  let observed = 0;
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

  function observe(load: Parameters<Shedder['observe']>[0]): void {
    if (ownMax === null || ownLimit === null) return;
    ended += load.ended;
    observed += 1;
    if (observed < RATE_SAMPLES) return;
    const waitMs = (load.own * RATE_SAMPLES * SAMPLE_MS) / ended;
    const isSlow = ended > 0 && load.own > OWN_MIN && waitMs > OWN_WAIT_MS;
    ownLimit = isSlow
      ? Math.max(OWN_MIN, Math.floor(Math.min(ownLimit, load.own) * OWN_SHRINK))
      : Math.min(ownMax, Math.ceil(ownLimit * OWN_GROW));
    ended = 0;
    observed = 0;
  }

  function hasCapacity(importance: Importance, own: number): boolean {
    return ownLimit === null || own <= ownLimit * (IN_FLIGHT_SHARE[IMPORTANCE.indexOf(importance)] ?? 1);
  }

  return {
    hasCapacity,
    get pressure() {
      return pressure;
    },
    get ownLimit() {
      return ownLimit;
    },
    sample,
    observe,
    start(sampled) {
      let expected = performance.now() + SAMPLE_MS;
      setInterval(() => {
        const now = performance.now();
        const delayMs = Math.max(0, now - expected);
        expected = now + SAMPLE_MS;
        sample(delayMs);
        sampled(delayMs);
      }, SAMPLE_MS).unref();
    },
    admits(importance, inFlight) {
      const rank = IMPORTANCE.indexOf(importance);
      const own = Math.max(0, inFlight.all - inFlight.atGateways);
      const part = IN_FLIGHT_SHARE[rank] ?? 1;
      if (inFlightMax !== null && inFlight.all > inFlightMax * part) return false;
      if (!hasCapacity(importance, own)) return false;
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
