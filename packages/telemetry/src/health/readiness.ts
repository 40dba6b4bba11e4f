import type { ProcessName } from '../metrics/registry.ts';

/** The result of one check: `ok`, or why the process cannot take work. Never a host, an address or an error's text. */
export type CheckResult =
  | 'ok'
  | 'unavailable'
  | 'pending'
  | 'starting'
  | 'not_loaded'
  | 'behind'
  | 'memory_leaks'
  | 'wrong_encryption_keys'
  | 'wrong_key_pepper';

/** Checks by name. A check that throws, or takes too long, is `unavailable`. */
export type Checks = Readonly<Record<string, () => Promise<CheckResult>>>;

/** Answer of `/readyz`. */
export interface ReadinessReport {
  readonly status: 'ready' | 'not_ready';
  readonly process: ProcessName;
  /** True from the signal to stop on. */
  readonly draining: boolean;
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** Readiness of a process for work, and the reasons against it. */
export interface Readiness {
  readonly draining: boolean;
  /** From now on the process is not ready, whatever its checks say. */
  drain(): void;
  report(): Promise<ReadinessReport>;
}

const CHECK_TIMEOUT_MS = 1_500;
/** Load balancers ask several times a second; the checks run once. */
const CACHED_MS = 500;

/** The readiness of a process by these checks. `clock` is monotonic, in milliseconds. */
export function createReadiness(process: ProcessName, checks: Checks, clock: () => number = () => performance.now()): Readiness {
  let draining = false;
  let results: Promise<Readonly<Record<string, CheckResult>>> | undefined;
  let until = 0;

  function checkAll(): Promise<Readonly<Record<string, CheckResult>>> {
    if (results === undefined || clock() >= until) {
      until = clock() + CACHED_MS;
      results = runChecks(checks);
    }
    return results;
  }

  return {
    get draining() {
      return draining;
    },
    drain() {
      draining = true;
    },
    async report() {
      const current = await checkAll();
      const ready = !draining && Object.values(current).every((result) => result === 'ok');
      return { status: ready ? 'ready' : 'not_ready', process, draining, checks: current };
    },
  };
}

async function runChecks(checks: Checks): Promise<Readonly<Record<string, CheckResult>>> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, CheckResult]> => [name, await inTime(check)]),
  );
  return Object.fromEntries(results);
}

async function inTime(check: () => Promise<CheckResult>): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => resolve('unavailable'), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(), timeout]);
  } catch {
    return 'unavailable';
  } finally {
    clearTimeout(timer);
  }
}
