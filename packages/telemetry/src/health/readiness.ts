import { readdirSync } from 'node:fs';
import { type Database, pingDatabase } from '@switchyard/db';
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

const MIGRATIONS = new URL('../../../../prisma/migrations/', import.meta.url);
const APPLIED = 'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL';

/** Resources that the checks of a process ask. */
export interface CheckedResources {
  readonly database: Pick<Database, 'pool'>;
  readonly configuration: { ready(): Promise<void> };
  readonly secrets: {
    check(): Promise<void>;
    state(): { readonly wrong: readonly ('encryption_keys' | 'key_pepper')[]; readonly unreadableAccounts: number };
  };
}

const HAS_CITUS = "SELECT FROM pg_extension WHERE extname = 'citus'";
const LEAKING = `
SELECT FROM run_command_on_all_nodes('SELECT current_setting(''plan_cache_mode'')') AS answer
WHERE NOT rows_share_a_node() AND answer.success AND answer.result <> 'force_custom_plan'`;

/**
 * The checks of every process: the database answers, it has the migrations of this build, each server of a cluster keeps no plans, configuration is in memory, and the secrets are
 * those that the stored data was made with.
 */
export function processChecks({ database, configuration, secrets }: CheckedResources): Checks {
  let migrated = false;
  let isFit = false;
  return {
    async database() {
      await pingDatabase(database);
      return 'ok';
    },
    async migrations() {
      // A migration that was applied stays applied.
      migrated ||= await hasMigrations(database, migrationsOfBuild());
      return migrated ? 'ok' : 'pending';
    },
    async cluster() {
      // Connections that have begun keep their settings.
      isFit ||= await keepsNoPlans(database);
      return isFit ? 'ok' : 'memory_leaks';
    },
    async configuration() {
      await configuration.ready();
      return 'ok';
    },
    async secrets() {
      await configuration.ready();
      await secrets.check();
      const [wrong] = secrets.state().wrong;
      return wrong === undefined ? 'ok' : `wrong_${wrong}`;
    },
  };
}

/** A replica that is further behind answers reports with old figures; another process may be nearer. */
const REPLICA_LAG_MAX_S = 60;

/** The check of a process that reads reports: its database is reachable and not far behind. */
export function replicaCheck(readLagSeconds: () => Promise<number>): Checks {
  return {
    replica: async () => ((await readLagSeconds()) > REPLICA_LAG_MAX_S ? 'behind' : 'ok'),
  };
}

/** True unless this is a distributed database of which a server keeps plans, whose memory Citus 14.0 loses at each execution. */
async function keepsNoPlans({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const { rowCount: citus } = await pool.query(HAS_CITUS);
  if (citus === 0) return true;
  const { rowCount: leaking } = await pool.query(LEAKING);
  return leaking === 0;
}

/** A database that has later migrations too serves this build as well: they only add. */
async function hasMigrations({ pool }: Pick<Database, 'pool'>, wanted: readonly string[]): Promise<boolean> {
  const { rows } = await pool.query<{ name: string }>(APPLIED);
  const applied = new Set(rows.map(({ name }) => name));
  return wanted.every((name) => applied.has(name));
}

/** Names of the migrations that came with this build; none where the folder was not copied along. */
function migrationsOfBuild(): readonly string[] {
  try {
    const entries = readdirSync(MIGRATIONS, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
}
