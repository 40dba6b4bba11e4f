import crypto from 'node:crypto';
import { promisify } from 'node:util';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { generatorFor } from '../../world/plan/rng.ts';
import { type Owner, PacedWait, type Scheduled, type Scheduler, type Stretch } from './scheduler.ts';

/** The clock of one machine: how its time of day and the speed of its clock differ from the world's. */
export interface MachineClock {
  /** Milliseconds by which its time of day is ahead; changed by jumps. */
  aheadMs: number;
  /** Seconds it gains in a second; 0.001 gains 3.6 s in an hour. */
  readonly drift: number;
  readonly bootedAt: number;
  /** Set while the machine is starved. */
  stretch: Stretch | null;
}

/** Clock, timers and randomness as a program finds them in its globals, all of them virtual. */
export interface Platform {
  readonly globals: Readonly<Record<string, unknown>>;
  /** Replaces modules of Node by name. */
  readonly modules: Readonly<Record<string, unknown>>;
}

/** A timer with the methods of Node's own. */
class VirtualTimer {
  private scheduled: Scheduled | null = null;
  private readonly start: () => Scheduled;

  constructor(start: () => Scheduled) {
    this.start = start;
    this.scheduled = start();
  }

  clear(): void {
    if (this.scheduled !== null) this.scheduled.isCancelled = true;
    this.scheduled = null;
  }

  close(): this {
    this.clear();
    return this;
  }

  refresh(): this {
    this.clear();
    this.scheduled = this.start();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}

/** Time and randomness for a program that runs as `owner`. */
export function createPlatform(scheduler: Scheduler, owner: Owner, clock: MachineClock, random: PlatformRandom): Platform {
  const upMs = (): number => (scheduler.now - clock.bootedAt) * (1 + clock.drift);
  const nowMs = (): number => clock.bootedAt + clock.aheadMs + upMs();
  const delayOf = (delay: unknown): number => {
    const ms = Math.max(1, Math.min(2_147_483_647, Number(delay) || 1));
    const { stretch } = clock;
    if (stretch !== null && delay instanceof PacedWait) {
      const { kinds, longestMs, factor } = stretch;
      return Math.min(ms * (kinds?.[delay.kind] ?? factor), Math.max(ms, longestMs?.[delay.kind] ?? Number.POSITIVE_INFINITY));
    }
    return stretch !== null && ms >= stretch.fromMs ? ms * stretch.factor : ms / (1 + clock.drift);
  };
  const begin = (delayMs: number, task: () => void) => new VirtualTimer(() => scheduler.after(delayMs, owner, task));
  const timeout = (task: (...values: unknown[]) => void, delay?: unknown, ...values: unknown[]): VirtualTimer =>
    begin(delayOf(delay), () => task(...values));
  const interval = (task: (...values: unknown[]) => void, delay?: unknown, ...values: unknown[]): VirtualTimer => {
    const timer = new VirtualTimer(() =>
      scheduler.after(delayOf(delay), owner, () => {
        timer.refresh();
        task(...values);
      }),
    );
    return timer;
  };
  const immediate = (task: (...values: unknown[]) => void, ...values: unknown[]): VirtualTimer => begin(0, () => task(...values));
  const clear = (timer: unknown): void => {
    if (timer instanceof VirtualTimer) timer.clear();
  };

  // `util.promisify` of a timer waits, as it does of Node's own.
  const wait = (delay?: unknown, value?: unknown, options?: { readonly signal?: AbortSignal }): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const { signal } = options ?? {};
      if (signal?.aborted) {
        reject(abortError(signal));
        return;
      }
      const timer = timeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      }, delay);
      const abort = (): void => {
        timer.clear();
        reject(signal === undefined ? undefined : abortError(signal));
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  const waitForNextTurn = (value?: unknown): Promise<unknown> => new Promise((resolve) => immediate(() => resolve(value)));
  Object.defineProperty(timeout, promisify.custom, { value: wait });
  Object.defineProperty(immediate, promisify.custom, { value: waitForNextTurn });

  const virtualDate = dateOf(() => Math.floor(nowMs()));
  const performance = { now: upMs, timeOrigin: clock.bootedAt, mark: () => undefined, measure: () => undefined };
  const hrtime = Object.assign(
    (since?: readonly [number, number]): [number, number] => {
      const ms = upMs() - (since === undefined ? 0 : since[0] * 1_000 + since[1] / 1e6);
      return [Math.floor(ms / 1_000), Math.floor((ms % 1_000) * 1e6)];
    },
    { bigint: () => BigInt(Math.floor(upMs() * 1e6)) },
  );
  const own = { hrtime, uptime: () => upMs() / 1_000, pid: 1 };
  const process = new Proxy(globalThis.process, {
    get: (target, name) => {
      const value: unknown = Object.hasOwn(own, name) ? Reflect.get(own, name) : Reflect.get(target, name, target);
      return typeof value === 'function' && !Object.hasOwn(own, name) ? value.bind(target) : value;
    },
  });
  const VirtualMath = Object.create(Math, { random: { value: () => random.number() } });
  const signals = signalsOf((ms, task) => timeout(task, ms));
  const cryptoModule = cryptoOf(random);
  const timers = {
    setTimeout: timeout,
    clearTimeout: clear,
    setInterval: interval,
    clearInterval: clear,
    setImmediate: immediate,
    clearImmediate: clear,
  };
  const globals: Record<string, unknown> = {
    ...timers,
    Date: virtualDate,
    Math: VirtualMath,
    performance,
    process,
    AbortSignal: signals,
    crypto: cryptoModule.webcrypto,
  };
  const globalObject = Object.create(globalThis, Object.getOwnPropertyDescriptors({ ...globals }));
  const promises = { setTimeout: wait, setImmediate: waitForNextTurn, scheduler: { wait, yield: waitForNextTurn } };
  return {
    globals: { ...globals, globalThis: globalObject, global: globalObject },
    modules: {
      timers: { ...timers, promises },
      'timers/promises': promises,
      crypto: cryptoModule,
      perf_hooks: { performance },
      process,
    },
  };
}

function abortError(signal: AbortSignal): Error {
  return Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR',
  });
}

/** A `Date` whose present is virtual. Its instances are ordinary dates. */
function dateOf(nowMs: () => number): object {
  // A function, and no proxy: programs ask for the time more often than for anything else.
  function virtualDate(...values: unknown[]): unknown {
    if (new.target === undefined) return new Date(nowMs()).toString();
    if (new.target !== virtualDate) return Reflect.construct(Date, values.length === 0 ? [nowMs()] : values, new.target);
    if (values.length === 0) return new Date(nowMs());
    return values.length === 1 ? new Date(values[0] as number) : Reflect.construct(Date, values);
  }
  virtualDate.prototype = Date.prototype;
  return Object.assign(virtualDate, { now: nowMs, parse: Date.parse, UTC: Date.UTC });
}

function signalsOf(later: (ms: number, task: () => void) => void): typeof AbortSignal {
  const timeout = (ms: number): AbortSignal => {
    const controller = new AbortController();
    later(ms, () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')));
    return controller.signal;
  };
  // Node keeps its own combined signals, and all that listens to them, until they are aborted: the rest of a world that is over.
  const any = (signals: readonly AbortSignal[]): AbortSignal => {
    const controller = new AbortController();
    for (const signal of signals) {
      if (signal.aborted) controller.abort(signal.reason);
      else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
    }
    return controller.signal;
  };
  return new Proxy(AbortSignal, {
    get: (target, name) => (name === 'timeout' ? timeout : name === 'any' ? any : Reflect.get(target, name, target)),
  });
}

/** `node:crypto` with its own arithmetic, and random bytes from the seed. */
function cryptoOf(random: PlatformRandom) {
  const fillSync = <View extends NodeJS.ArrayBufferView>(view: View): View => {
    random.fill(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    return view;
  };
  const randomBytes = (size: number, done?: (error: null, bytes: Buffer) => void): Buffer | undefined => {
    const bytes = fillSync(Buffer.alloc(size));
    if (done === undefined) return bytes;
    queueMicrotask(() => done(null, bytes));
    return undefined;
  };
  const randomUUID = (): string => {
    const bytes = fillSync(Buffer.alloc(16));
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  };
  const randomInt = (low: number, high?: number): number => {
    const [from, to] = high === undefined ? [0, low] : [low, high];
    return from + Math.floor(random.number() * (to - from));
  };
  const webcrypto = { subtle: crypto.webcrypto.subtle, getRandomValues: fillSync, randomUUID };
  return { ...crypto, randomBytes, randomFillSync: fillSync, randomUUID, randomInt, webcrypto, getRandomValues: fillSync };
}

/** Random numbers as a program gets them from its platform. */
export interface PlatformRandom {
  /** In [0, 1). */
  number(): number;
  fill(bytes: Uint8Array): void;
}

export function platformRandom(seed: number, purpose: string): PlatformRandom {
  const generator = generatorFor(seed, purpose);
  return {
    number: () => uniformFloat64(generator),
    fill(bytes) {
      let word = 0;
      for (let at = 0; at < bytes.length; at++) {
        word = at % 4 === 0 ? generator.next() : word >> 8;
        bytes[at] = word & 0xff;
      }
    },
  };
}
