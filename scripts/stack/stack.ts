import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from '../bootstrap/progress.mjs';
import { choosePorts, type Ports } from './choose-ports.ts';
import { runCommand } from './command.ts';
import { generateClient, isClientCurrent } from './database-client.ts';
import { type Demo, readDemo } from './demo.ts';
import { type Environment, stackEnvironment, writeEnvironment } from './environment.ts';
import { applyMigrations, ensureDatabase, pendingMigrations } from './migrations.ts';
import { arePagesCurrent, buildPages } from './pages.ts';
import { startPostgres } from './postgres.ts';
import { prepareSandbox } from './prepare-sandbox.ts';
import { Problem } from './problem.ts';
import type { Project } from './project.ts';
import { claimRun, type RunClaim } from './run-file.ts';
import { answersAt, logsReady, type Service, type ServicePlan, startService } from './services.ts';
import type { Teardown } from './teardown.ts';

/** Everything, running. */
export interface Stack {
  readonly demo: Demo;
  readonly databaseUrl: string;
  /** Resolves with the reason when a part of it stops by itself. */
  readonly died: Promise<Problem>;
}

/** The project, settings, progress output and teardown of a start. */
interface Start {
  readonly project: Project;
  readonly user: Environment;
  readonly progress: Progress;
  readonly teardown: Teardown;
}

const DATABASE = 'switchyard';

/** Runs one step of the start with its progress shown. */
async function step<T>(start: Start, doing: string, done: string | ((result: T) => string), act: () => Promise<T>): Promise<T> {
  start.teardown.check();
  const shown = start.progress.begin(doing);
  try {
    const result = await act();
    start.teardown.check();
    shown.done(typeof done === 'string' ? done : done(result));
    return result;
  } finally {
    shown.clear();
  }
}

async function startDatabase(start: Start): Promise<{ url: string; died: Promise<Problem> | undefined }> {
  const { project, teardown, user } = start;
  if (user.DATABASE_URL) return { url: user.DATABASE_URL, died: undefined };
  const log = join(project.logs, 'postgres.log');
  const server = await step(
    start,
    'Starting PostgreSQL',
    (s) => `PostgreSQL ${s.version} running`,
    async () => {
      const started = await startPostgres({ directory: project.postgres, log });
      await teardown.add(() => started.stop());
      return started;
    },
  );
  if (server.movedTo) start.progress.note(`Its data is in ${server.movedTo}: its account cannot get into this folder.`);
  return {
    url: server.url(DATABASE),
    died: server.exited.then(() => new Problem('PostgreSQL has stopped.', [`Its log: ${log}`])),
  };
}

/** Applies pending migrations; returns their number. */
async function migrate(start: Start, env: Environment, url: string): Promise<number> {
  await ensureDatabase(url);
  const pending = await pendingMigrations(start.project, url);
  if (pending.length === 0) return 0;
  const done = `${pending.length} ${pending.length === 1 ? 'migration' : 'migrations'} applied`;
  await step(start, 'Applying migrations', done, () => applyMigrations(start.project, env, start.teardown));
  return pending.length;
}

async function seed({ project, teardown }: Start, env: Environment): Promise<Demo> {
  const command = { program: process.execPath, args: ['prisma/seed.ts'], cwd: project.root, env };
  const log = join(project.logs, 'seed.log');
  await runCommand({ ...command, failure: 'The demo data could not be written', log }, teardown);
  return readDemo(project.demoFile);
}

async function launch(start: Start, plan: ServicePlan, env: Environment, claim: RunClaim): Promise<Service> {
  const service = startService(start.project, plan, env);
  claim.addProcess(service.process);
  await start.teardown.add(() => service.stop());
  return service;
}

function plans(ports: Ports): Record<'sandbox' | 'worker' | 'reporting' | 'web', ServicePlan> {
  const health = `http://127.0.0.1:${ports.web}/api/health`;
  const reportingHealth = `http://127.0.0.1:${ports.reporting}/health`;
  return {
    sandbox: { name: 'sandbox', folder: 'apps/sandbox', entry: 'src/main.ts', isReady: logsReady },
    worker: { name: 'worker', folder: 'apps/worker', entry: 'src/main.ts', isReady: logsReady },
    reporting: { name: 'reporting', folder: 'apps/reporting', entry: 'src/main.ts', isReady: answersAt(reportingHealth) },
    web: { name: 'web', folder: 'apps/web', entry: 'server.ts', isReady: answersAt(health) },
  };
}

/** A new database is seeded before anything is served; on an existing one the seed only checks, in parallel. */
async function seedAndServe(
  start: Start,
  isNew: boolean,
  writeDemo: () => Promise<Demo>,
  serve: () => Promise<void>,
): Promise<Demo> {
  const doing = 'Starting sandbox, worker, reporting and web';
  const done = 'Sandbox, worker, reporting and web running';
  if (!isNew) {
    return step(start, doing, done, async () => (await Promise.all([writeDemo(), serve()]))[0]);
  }
  const demo = await step(start, 'Writing the demo data', 'Demo data written', writeDemo);
  await step(start, doing, done, serve);
  return demo;
}

/**
 * Starts everything in the order of dependencies, and rebuilds only what is out of date. Resolves when all is ready. `teardown`
 * stops what was started, whether this resolves or throws.
 */
export async function startStack(start: Start): Promise<Stack> {
  const { project, user, teardown } = start;
  mkdirSync(project.logs, { recursive: true });
  const claim = await claimRun(project);
  await teardown.add(async () => claim.release());
  const ports = await choosePorts(user);
  const { sandbox, worker, reporting, web } = plans(ports);

  if (!isClientCurrent(project)) {
    await step(start, 'Generating the database client', 'Database client generated', () => generateClient(project, teardown));
  }
  const database = await startDatabase(start);
  const env = stackEnvironment(project, user, ports, database.url);
  writeEnvironment(project, env);
  claim.update({ databaseUrl: database.url });
  const sandboxService = await launch(start, sandbox, env, claim);
  const isNew = (await migrate(start, env, database.url)) > 0 || !existsSync(project.demoFile);
  if (!arePagesCurrent(project)) {
    await step(start, 'Building the pages', 'Pages built', () => buildPages(project, env, teardown));
  }
  const services: Service[] = [sandboxService];
  const serve = async (): Promise<void> => {
    for (const plan of [worker, reporting, web]) services.push(await launch(start, plan, env, claim));
    await Promise.all(services.map((service) => service.ready()));
  };
  const writeDemo = async (): Promise<Demo> => {
    await sandboxService.ready();
    const seeded = await seed(start, env);
    await prepareSandbox(project.demoFile, seeded.sandboxUrl);
    return seeded;
  };
  const demo = await seedAndServe(start, isNew, writeDemo, serve);
  claim.update({ webUrl: demo.webUrl });
  const deaths = services.map((service) => service.died);
  return { demo, databaseUrl: database.url, died: Promise.race(database.died ? [database.died, ...deaths] : deaths) };
}
