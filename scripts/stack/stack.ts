import { closeSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Claim, claimFile } from '../bootstrap/claim.mjs';
import { openFreshLog, sizeOf, textFrom } from '../bootstrap/files.mjs';
import { asProblem, Problem } from '../bootstrap/problem.mjs';
import { endProcess, type ProcessIdentity } from '../bootstrap/processes.mjs';
import { findRemaining, ROWS_REMAIN, refuseUnfit } from '../distribute/cluster.ts';
import { arePagesCurrent, buildPages, compilePrograms, generateClient, isClientCurrent } from './builds.ts';
import { DATABASE, ensureDatabase, pendingMigrations, requireOwnMigrations, withConnection } from './database.ts';
import { type Demo, readDemo } from './demo.ts';
import { startPostgres } from './postgres.ts';
import { type Environment, failureOf, keepRunning, notePrograms, runProgram, type Started, startProgram } from './programs.ts';
import { showStep } from './progress.ts';
import { alreadyRunning, type Project } from './project.ts';
import { choosePorts, type Ports, stackEnvironment, writeEnvironment } from './settings.ts';

/** Everything, running. */
export interface Stack {
  readonly demo: Demo;
  /** Its programs. In development one that stops by itself is no end of the stack. */
  readonly services: readonly { readonly service: Service; readonly running: RunningService }[];
  /** Resolves when pages are answered, which is after everything else where they had to be built. Rejects with the Problem of the build. */
  readonly pages: Promise<void>;
  readonly arePagesPending: boolean;
  /** Starts a service of it, as it was started before. */
  launch(service: Service): RunningService;
  /** Resolves with the reason when a part of it stops and does not start again. */
  readonly died: Promise<Problem>;
  /** Stops its programs, but for its database, and starts none of them again. */
  stopServices(): Promise<void>;
  /** Lets go of the project's files, once the programs have been stopped. */
  release(): void;
}

/** A program of the stack. */
export interface Service {
  readonly name: string;
  readonly folder: string;
  readonly entry: string;
  readonly args?: readonly string[];
  /** Where it answers 200 once it is ready; it logs a line `{"ready":true,…}` when left out. */
  readonly health?: string;
}

export interface RunningService extends Started {
  readonly process: ProcessIdentity;
}

const READY_TIMEOUT_MS = 60_000;
const STOP_SIGNALS = ['SIGTERM', 'SIGKILL'] as const;
const STOP_GRACE_MS = 10_000;
const READY_POLL_MS = 30;
const HEALTH_TIMEOUT_MS = 5_000;
/** Room for five weeks of rows, which would be collected a dozen times each in the room that a program of the product gets. */
const MEMORY_OF_SEED = '--max-semi-space-size=64';
const READY_LINE = /^\{.*"ready":true/m;

const SANDBOX: Service = { name: 'sandbox', folder: 'apps/sandbox', entry: 'src/main.ts' };

/** With pages that are being built, web answers everything else until they are there. */
function otherServices(ports: Ports, isBuilt: boolean): Service[] {
  const reportingHealth = `http://127.0.0.1:${ports.reporting}/health`;
  return [
    { name: 'worker', folder: 'apps/worker', entry: 'src/main.ts' },
    { name: 'reporting', folder: 'apps/reporting', entry: 'src/main.ts', health: reportingHealth },
    {
      name: 'web',
      folder: 'apps/web',
      entry: 'server.ts',
      args: isBuilt ? [] : ['--await-pages'],
      health: `http://127.0.0.1:${ports.web}/api/health`,
    },
  ];
}

/** `from` is where the log of this run of it begins. */
async function isReady({ health }: Service, log: string, from: number): Promise<boolean> {
  if (health === undefined) return READY_LINE.test(textFrom(log, from));
  try {
    const response = await fetch(health, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

/** Starts a service, with its output in a fresh log, or at the end of the one of this run. */
function startService(project: Project, service: Service, env: Environment, output: 'fresh' | 'same' = 'fresh'): RunningService {
  const { name, folder, entry, args = [] } = service;
  const log = join(project.logs, `${name}.log`);
  const cwd = join(project.root, folder);
  if (output === 'fresh') closeSync(openFreshLog(log));
  const from = sizeOf(log);
  const { process: identity, exited } = startProgram({ command: process.execPath, args: [entry, ...args], cwd, env, log });
  let isOver = false;
  const died = exited.then(({ how }) => {
    isOver = true;
    return failureOf(`The ${name} has stopped (${how}).`, log);
  });
  return {
    process: identity,
    died,
    async ready() {
      const deadline = Date.now() + READY_TIMEOUT_MS;
      while (!(await isReady(service, log, from))) {
        if (isOver) throw await died;
        if (Date.now() > deadline) throw failureOf(`The ${name} was not ready after ${READY_TIMEOUT_MS / 1_000} s.`, log);
        await pause(READY_POLL_MS);
      }
      if (isOver) throw await died; // another program answered in its place
    },
  };
}

interface StackDatabase {
  readonly url: string;
  /** The embedded server, and how it is started again; null where the user brought one. */
  readonly server: { readonly running: Started; restart(): Started } | null;
}

/** The database of `DATABASE_URL`, else the embedded one, started. */
async function startDatabase(project: Project, user: Environment): Promise<StackDatabase> {
  if (user.DATABASE_URL) return { url: user.DATABASE_URL, server: null };
  const log = join(project.logs, 'postgres.log');
  const server = await showStep(
    'Starting PostgreSQL',
    ({ version }) => `PostgreSQL ${version} running`,
    () => startPostgres({ directory: project.postgres, log }),
  );
  if (server.movedTo) console.log(`    Its data is in ${server.movedTo}: its account cannot get into this folder.`);
  const url = server.url(DATABASE);
  const stopped = () => new Problem('PostgreSQL has stopped.', [`Its log: ${log}`]);
  const restart = (): Started => {
    const restarting = startPostgres({ directory: project.postgres, log, appends: true });
    const moved = new Problem('Another program has taken the port of PostgreSQL.', [`Its log: ${log}`]);
    const died = restarting.then(
      async (again) => {
        if (again.url(DATABASE) === url) return again.exited.then(stopped);
        await again.stop();
        return moved;
      },
      (error: unknown) => asProblem(error, [`Its log: ${log}`]),
    );
    return {
      died,
      async ready() {
        if ((await restarting).url(DATABASE) !== url) throw moved;
      },
    };
  };
  return { url, server: { running: { ready: async () => undefined, died: server.exited.then(stopped) }, restart } };
}

/**
 * Applies pending migrations, and distributes tables without rows on a Citus cluster, as `npm run admin -- database deploy` does. Resolves with whether
 * there was anything to do.
 */
async function migrate({ root, migrations, logs }: Project, env: Environment, url: string): Promise<boolean> {
  await ensureDatabase(url);
  await requireOwnMigrations(migrations, url);
  const pending = await pendingMigrations(migrations, url);
  const remaining = await withConnection(url, findRemaining);
  if (remaining === 'rows') console.log(`  ${ROWS_REMAIN}`);
  if (remaining !== 'empty tables') await withConnection(url, refuseUnfit);
  if (pending.length === 0 && remaining !== 'empty tables') return false;
  const migrated = pending.length > 0 ? [`${pending.length} ${pending.length === 1 ? 'migration' : 'migrations'} applied`] : [];
  const distributed = remaining === 'empty tables' ? ['tables distributed'] : [];
  const done = [...migrated, ...distributed].join(', ');
  const program = {
    command: process.execPath,
    args: ['scripts/admin/main.ts', 'database', 'deploy'],
    cwd: root,
    env,
    log: join(logs, 'migrate.log'),
  };
  await showStep('Applying migrations', done, () => runProgram(program, 'The migrations could not be applied'));
  return true;
}

/** Writes the demo data, also into the sandbox, which has to be ready. */
async function seed({ root, logs, demoFile }: Project, env: Environment, sandbox: RunningService): Promise<Demo> {
  await sandbox.ready();
  const args = [MEMORY_OF_SEED, 'prisma/seed.ts'];
  const program = { command: process.execPath, args, cwd: root, env, log: join(logs, 'seed.log') };
  await runProgram(program, 'The demo data could not be written');
  return readDemo(demoFile);
}

/**
 * The database as services need it: its address, the environment with it, and its data, which is written by the database client once that
 * is there. The sandbox is started for that.
 */
async function prepareData(project: Project, user: Environment, ports: Ports, claim: Claim, client: Promise<void>) {
  const database = await startDatabase(project, user);
  const env = stackEnvironment(project, user, ports, database.url);
  writeEnvironment(project, env);
  claim.update({ databaseUrl: database.url });
  const sandbox = startService(project, SANDBOX, env);
  await client;
  const isNew = (await migrate(project, env, database.url)) || !existsSync(project.demoFile);
  // A new database is seeded before anything is served; on an existing one the seed only checks, in parallel.
  const early = isNew
    ? await showStep('Writing the demo data', 'Demo data written', () => seed(project, env, sandbox))
    : undefined;
  return { database, env, sandbox, early };
}

/** Generates the database client where it is not the schema's. */
async function prepareClient(project: Project): Promise<void> {
  if (isClientCurrent(project)) return;
  await showStep('Generating the database client', 'Database client generated', () => generateClient(project));
}

/** Builds the pages. */
async function preparePages(project: Project, user: Environment): Promise<void> {
  const env = { NEXT_TELEMETRY_DISABLED: '1', ...user, NODE_ENV: 'production' };
  await showStep('Building the pages', 'Pages built', () => buildPages(project, env));
}

/**
 * Starts everything in the order of dependencies, with the variables that the user set, and rebuilds only what is out of date. Prints
 * each step, and resolves when all is ready but pages that have to be built. `stopPrograms` stops what was started, whether this resolves
 * or throws. In development pages are not built: the web process compiles each when it is asked for.
 */
export async function startStack(
  project: Project,
  user: Environment,
  { development = false }: { readonly development?: boolean } = {},
): Promise<Stack> {
  mkdirSync(project.logs, { recursive: true });
  const isAfterCrash = existsSync(project.runFile);
  const claim = await claimFile(project.runFile);
  if (!claim) throw alreadyRunning(project);
  if (isAfterCrash) console.log(`  The run before did not stop in order. Its logs: ${join(project.logs, '*.1.log')}`);
  notePrograms(claim.addProcess);
  const ports = await choosePorts(user);
  const client = prepareClient(project);
  client.catch(() => undefined); // it is awaited where it is needed
  const isBuilt = development || arePagesCurrent(project);
  // Payments need no pages, which are built meanwhile.
  const pages = isBuilt ? Promise.resolve() : client.then(() => preparePages(project, user));
  pages.catch(() => undefined); // the caller awaits it
  const [{ database, env, sandbox, early }] = await Promise.all([
    prepareData(project, user, ports, claim, client),
    isBuilt ? undefined : client.then(() => compilePrograms(project, user)),
  ]);
  const launch = (service: Service, output?: 'same'): RunningService => {
    const mode = development && service.name === 'web' ? { NODE_ENV: 'development' } : {};
    return startService(project, service, { ...env, ...mode }, output);
  };
  const doing = 'Starting sandbox, worker, reporting and web';
  return showStep(doing, 'Sandbox, worker, reporting and web running', async () => {
    const others = otherServices(ports, isBuilt).map((service) => ({ service, running: launch(service) }));
    const services = [{ service: SANDBOX, running: sandbox }, ...others];
    const ready = services.map(({ running }) => running.ready());
    const [demo] = await Promise.all([early ?? seed(project, env, sandbox), ...ready]);
    claim.update({ webUrl: demo.webUrl });
    const { server } = database;
    // In development a change of the sources starts a service again.
    const end = new AbortController();
    const latest = new Map(services.map(({ service, running }) => [service, running]));
    const launchAgain = (service: Service) => {
      const running = launch(service, 'same');
      latest.set(service, running);
      return running;
    };
    const kept = development
      ? []
      : services.map(({ service, running }) =>
          keepRunning(`The ${service.name}`, running, () => launchAgain(service), end.signal),
        );
    if (server !== null) kept.push(keepRunning('PostgreSQL', server.running, server.restart, new AbortController().signal));
    const stopServices = async () => {
      end.abort();
      await Promise.all([...latest.values()].map((running) => endProcess(running.process, STOP_SIGNALS, STOP_GRACE_MS)));
    };
    const died = Promise.race(kept.map(async (each) => (await each) ?? new Promise<Problem>(() => undefined)));
    return { demo, services, pages, arePagesPending: !isBuilt, launch, died, stopServices, release: claim.release };
  });
}
