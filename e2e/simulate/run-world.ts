import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { DrivenObservations, Rows } from '../world/checker/observations.ts';
import { OBSERVATION_TRIGGERS, readRows } from '../world/checker/read-rows.ts';
import { itemsAt } from '../world/plan/plan.ts';
import { drawsFor } from '../world/plan/rng.ts';
import { type Engine, openEngine } from './database/engine.ts';
import { keepRows, type Query } from './database/kept-rows.ts';
import { DatabaseServer, readAnswer } from './database/server.ts';
import { writeMessage } from './database/wire.ts';
import { bundle, type Code, compile, forgetPrograms, type SourceEdit } from './kernel/code.ts';
import { PACE_OF_PRODUCTION, PACED, waitsAt } from './kernel/pace.ts';
import { platformRandom } from './kernel/platform.ts';
import { type Owner, Scheduler } from './kernel/scheduler.ts';
import { LogicalProcess, type Machine, type Program, platformOf } from './logical-process.ts';
import { httpOn } from './network/http-module.ts';
import { Network, NORMAL_CONDITIONS } from './network/network.ts';
import { fetchOn } from './network/undici.ts';
import type { StaffWork } from './oracle/check-staff-work.ts';
import type * as ProductCode from './product/product-entry.ts';
import type * as StaffCode from './product/staff-entry.ts';
import type * as AuditorCode from './product/verify-records.ts';
import type { VerifiedRecords } from './product/verify-records.ts';
import { doStaffWork, hasStaffWork } from './world/do-staff-work.ts';
import { planWorld } from './world/plan.ts';
import type * as SetUpCode from './world/set-up.ts';
import type { Beginning } from './world/set-up.ts';
import type { WorldHost } from './world/virtual-host.ts';
import type * as WorldCode from './world/world-entry.ts';
import type { WorldPlan } from './world/world-plan.ts';

/** When every database begins. */
const BEGINNING_MS = Date.UTC(2026, 10, 20);
const LOG_LINE_MAX = 600;
/** Owner of what belongs to no merchant. */
const NO_MERCHANT = '00000000-0000-0000-0000-000000000000';
const PUBLIC_PORT_FIRST = 5_000;
const WEB_PORT = 3_000;

const ENVIRONMENT = {
  DATABASE_URL: 'postgresql://switchyard@database:5432/switchyard',
  SWITCHYARD_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  SWITCHYARD_KEY_PEPPER: Buffer.alloc(32, 9).toString('base64'),
  SWITCHYARD_REQUESTS_PER_SECOND: '1000000',
  LOG_LEVEL: 'error',
};

/** Result of running a world. */
export interface WorldRun {
  readonly observations: DrivenObservations & Rows;
  /** Findings of the product's own tools about its records. */
  readonly verified: VerifiedRecords;
  /** Files and an erasure by the product's code, and the tables around them; null in worlds without. */
  readonly staffWork: StaffWork | null;
  /** One digest of everything that happened, in its order. */
  readonly digest: string;
  /** When it began, in milliseconds of the database's clock. */
  readonly startMs: number;
  readonly virtualMs: number;
  readonly realMs: number;
  readonly events: number;
  readonly statements: number;
  readonly log: readonly string[];
  readonly crashes: number;
  /** Promises that were rejected without anyone handling it, which ends a process of Node. */
  readonly unhandled: readonly string[];
  /** Milliseconds of CPU time of this operating-system process. */
  readonly cpuMs: number;
}

/** Runs worlds, one after the other, on one engine that goes back to the same beginning for each. */
export interface Simulator {
  run(plan: WorldPlan): Promise<WorldRun>;
  /** Uses other code of the product from the next world on. */
  replaceProduct(edits: readonly SourceEdit[]): Promise<void>;
}

const realNow = performance.now.bind(performance);

let unhandled: string[] = [];

const usedCpu = process.cpuUsage.bind(process);

/** Present time for what no process's own clock covers: the database's, and libraries' that all processes share. */
let present = BEGINNING_MS;

/** Opens a simulator. From then on this whole process is in virtual time. */
export async function openSimulator(): Promise<Simulator> {
  Date.now = () => Math.floor(present);
  const fill = { current: platformRandom(0, 'database') };
  process.on('unhandledRejection', (error) => unhandled.push(shortError(error)));
  globalThis.crypto.getRandomValues = <View extends ArrayBufferView | null>(view: View): View => {
    if (view !== null) fill.current.fill(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
    return view;
  };
  const engine = await openEngine();
  const compiled = async (entry: string, name: string): Promise<Code> => compile(await bundle(entry), name);
  const worldCode = await compiled('../world/world-entry.ts', 'world');
  const auditorCode = await compiled('../product/verify-records.ts', 'auditor');
  let product = await bundleProduct([]);
  const beginning = await makeBeginning(engine, await compiled('../world/set-up.ts', 'set-up'));
  await warmUp(engine, { worldCode, product, auditorCode, beginning });
  const restore = engine.snapshot();
  return {
    async replaceProduct(changed) {
      product = await bundleProduct(changed);
    },
    run(plan) {
      restore();
      forgetPrograms();
      fill.current = platformRandom(plan.seed, 'database');
      return runWorld({ plan, engine, worldCode, product, auditorCode, beginning });
    },
  };
}

/** Code of the product's processes, and of what staff do with it. */
interface Product {
  readonly processes: Code;
  /** Bundled for the first world that needs it. */
  readonly staff: () => Promise<Code>;
}

/** Bundles the product with these edits of what its processes run. */
async function bundleProduct(edits: readonly SourceEdit[]): Promise<Product> {
  let staff: Promise<Code> | null = null;
  return {
    processes: compile(await bundle('../product/product-entry.ts', [...PACED, ...edits]), 'product'),
    staff: () => {
      staff ??= bundle('../product/staff-entry.ts').then((text) => compile(text, 'staff'));
      return staff;
    },
  };
}

interface Stage {
  readonly machine: Machine;
  readonly hash: ReturnType<typeof createHash>;
  readonly log: string[];
}

/** The empty stage of a world: its time, its network and its database server. */
function openStage(engine: Engine, seed: number, startMs: number): Stage {
  const scheduler = new Scheduler(startMs, seed);
  const world: Owner = { name: 'world', alive: true, pausedUntil: 0 };
  const hash = createHash('sha256');
  const log: string[] = [];
  const note = (line: string): void => {
    const at = new Date(scheduler.now).toISOString();
    hash.update(`${at} ${line}\n`);
    log.push(`${at} ${line}`);
  };
  const network = new Network(scheduler, drawsFor(seed, 'network'), world, ({ from, to, what }) =>
    note(`${from} → ${to} ${what}`),
  );
  const database = new DatabaseServer(engine, scheduler, drawsFor(seed, 'database'), world);
  const random = (name: string) => platformRandom(seed, name);
  return { machine: { scheduler, network, database, world, random, note }, hash, log };
}

/** Runs the stage until the work is done; rejects with it. */
async function play<Result>({ machine: { scheduler } }: Stage, work: Promise<Result>): Promise<Result> {
  let isDone = false;
  let failure: unknown;
  let result: Result | undefined;
  work.then(
    (value) => {
      isDone = true;
      result = value;
    },
    (error: unknown) => {
      isDone = true;
      failure = error;
    },
  );
  await scheduler.run(() => {
    present = scheduler.now;
    return isDone;
  });
  if (failure !== undefined) throw failure;
  if (result === undefined) throw new Error('everything has stopped, and the world is not done');
  return result;
}

function evaluateIn(stage: Stage, code: Code, name: string): unknown {
  const { machine } = stage;
  const { scheduler, network, world } = machine;
  const clock = { aheadMs: 0, drift: 0, bootedAt: scheduler.now, stretch: null };
  const [platform, replacements] = platformOf(machine, world, clock, machine.random(name));
  const globals = { ...platform.globals, fetch: fetchOn(network, world), simulatedWait: waitsAt(PACE_OF_PRODUCTION) };
  return code.evaluate({ ...platform, globals }, { ...replacements, http: httpOn(network, PUBLIC_PORT_FIRST) });
}

/** The beginning with the tables that its merchants have rows in. */
interface PreparedBeginning extends Beginning {
  readonly tables: readonly string[];
}

/** A world before the first: with plans of the statements of every use case, the server works as one that has been running for long. */
const WARM_UP_SEED = 1;
const WARM_UP_PAYMENTS = 12;

async function warmUp(engine: Engine, of: Omit<Parameters<typeof runWorld>[0], 'plan' | 'engine'>): Promise<void> {
  const query = (text: string) => readAnswer(engine.run(writeMessage('Q', `${text}\0`)));
  const putBack = keepRows(query);
  await runWorld({
    ...of,
    plan: planWorld(WARM_UP_SEED, WARM_UP_PAYMENTS, 'rough', 'refunds_under_doubt'),
    engine,
  });
  putBack();
  engine.resetSettings();
}

async function makeBeginning(engine: Engine, code: Code): Promise<PreparedBeginning> {
  const stage = openStage(engine, 0, BEGINNING_MS);
  const { setUp } = exportsOf<typeof SetUpCode>(evaluateIn(stage, code, 'set-up'));
  const beginning = await play(stage, setUp(ENVIRONMENT));
  stage.machine.database.query(OBSERVATION_TRIGGERS);
  return { ...beginning, tables: tablesOfMerchants((text) => stage.machine.database.query(text)) };
}

/** Compiled code gives the exports of its entry. */
function exportsOf<Exports>(exports: unknown): Exports {
  return exports as Exports;
}

async function runWorld(of: {
  readonly plan: WorldPlan;
  readonly engine: Engine;
  readonly worldCode: Code;
  readonly product: Product;
  readonly auditorCode: Code;
  readonly beginning: PreparedBeginning;
}): Promise<WorldRun> {
  const { plan, engine, worldCode, product, auditorCode, beginning } = of;
  // Waited for in real time, and so before the world begins.
  const staffCode = hasStaffWork(plan.seed) ? await product.staff() : null;
  const begunAt = realNow();
  const cpuBefore = usedCpu();
  const startMs = BEGINNING_MS + 3_600_000 + plan.beginAfterMs;
  const stage = openStage(engine, plan.seed, startMs);
  const { machine } = stage;
  const own = itemsAt(beginning.merchants, plan.merchants).map(({ merchantId }) => merchantId);
  removeOtherMerchants((text) => machine.database.query(text), beginning.tables, own);
  const draws = drawsFor(plan.seed, 'processes');
  const environment = { ...ENVIRONMENT, SWITCHYARD_PUBLIC_URL: publicUrlOf(beginning) };
  const waitOf = waitsAt(plan.pace);
  const start = (name: string, url: string, program: Program): LogicalProcess => {
    const drift = draws.between(-200, 200) / 1e6;
    const started = new LogicalProcess(machine, { name, url, code: product.processes, program, clock: { drift }, waitOf });
    started.setAhead(draws.between(-2_000, 2_000));
    return started;
  };
  present = startMs;
  unhandled = [];
  const web: Program = async (exports, name) => {
    const { openSwitchyard, serveNodeRequest } = exportsOf<typeof ProductCode>(exports);
    const switchyard = openSwitchyard(environment, {
      write: (line) => machine.note(`${name} logs ${line.trim().slice(0, LOG_LINE_MAX)}`),
    });
    await switchyard.resources.configuration.ready().catch(() => undefined);
    const listener: RequestListener = (request, response) => {
      if (!serveNodeRequest(switchyard, request, response)) response.writeHead(404).end();
    };
    return { listener };
  };
  const worker: Program = async (exports, name) => {
    const { startWorker } = exportsOf<typeof ProductCode>(exports);
    const report = (error: unknown, doing: string): void => machine.note(`${name}: error while ${doing}: ${shortError(error)}`);
    await startWorker(environment, { report });
    return { listener: null };
  };
  const webs = Array.from({ length: plan.webs }, (_, at) => start(`web-${at + 1}`, `http://127.0.0.1:${WEB_PORT + at}`, web));
  const workers = Array.from({ length: plan.workers }, (_, at) => start(`worker-${at + 1}`, '', worker));
  const host = hostOf(stage, plan, webs, workers);
  host.database.setTrouble(null);
  machine.network.defaultConditions = { ...NORMAL_CONDITIONS, latencyMs: plan.networkLatencyMs };
  const { driveSimulatedWorld } = exportsOf<typeof WorldCode>(evaluateIn(stage, worldCode, 'world'));
  const driven = await play(stage, driveSimulatedWorld(plan, host, beginning));
  const observations = { ...driven, ...(await play(stage, readRows(host.rows, 'at'))) };
  const records = { environment, rows: host.rows, plan, beginning, observations };
  const staffWork =
    staffCode === null
      ? null
      : await play(stage, doStaffWork(exportsOf<typeof StaffCode>(evaluateIn(stage, staffCode, 'staff')), records));
  const { verifyRecords } = exportsOf<typeof AuditorCode>(evaluateIn(stage, auditorCode, 'auditor'));
  const verified = await play(stage, verifyRecords(environment, observations.payments.length));
  const statements = machine.database.statements;
  stage.hash.update(JSON.stringify(observations));
  for (const each of [...webs, ...workers]) each.end();
  return {
    observations,
    verified,
    staffWork,
    digest: stage.hash.digest('hex'),
    startMs,
    virtualMs: machine.scheduler.now - startMs,
    realMs: realNow() - begunAt,
    cpuMs: (usedCpu(cpuBefore).user + usedCpu(cpuBefore).system) / 1_000,
    events: machine.scheduler.happened,
    statements,
    log: stage.log,
    unhandled,
    crashes: [...webs, ...workers].reduce((sum, { starts }) => sum + starts - 1, 0),
  };
}

/** Tables in which the merchants of the beginning have rows. */
function tablesOfMerchants(query: Query): readonly string[] {
  const columns = query(`SELECT format('%I', table_name) AS name FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND column_name = 'merchant_id' AND table_type = 'BASE TABLE' ORDER BY 1`);
  return columns.flatMap(({ name }) => (name != null && query(`SELECT FROM ${name} LIMIT 1`).length > 0 ? [name] : []));
}

/** Removes the merchants that have no part in a world, so that nothing is done for them. */
function removeOtherMerchants(query: Query, tables: readonly string[], merchantIds: readonly string[]): void {
  const own = [...merchantIds, NO_MERCHANT].map((id) => `'${id}'`).join(', ');
  for (const table of tables) query(`DELETE FROM ${table} WHERE merchant_id NOT IN (${own})`);
  for (const table of ['tenant', 'merchant']) query(`DELETE FROM ${table} WHERE id NOT IN (${own})`);
}

function publicUrlOf({ accounts }: Beginning): string {
  const [first] = accounts;
  if (first === undefined) throw new Error('there are no accounts');
  return new URL(first.account.webhookUrl).origin;
}

function hostOf(
  { machine }: Stage,
  plan: WorldPlan,
  webs: readonly LogicalProcess[],
  workers: readonly LogicalProcess[],
): WorldHost {
  const { scheduler, database, network, note, world } = machine;
  return {
    webs,
    workers,
    note,
    rows: (statement) =>
      new Promise((resolve, reject) => {
        const read = (): void => {
          if (database.isInTransaction) {
            scheduler.after(1, world, read);
            return;
          }
          try {
            const [row] = database.query(`SELECT coalesce(json_agg(row), '[]') AS rows FROM (${statement}) AS row`);
            resolve(JSON.parse(row?.rows ?? '[]'));
          } catch (error) {
            reject(error);
          }
        };
        scheduler.after(0, world, read);
      }),
    database: {
      setAway(isAway) {
        database.conditions.isAway = isAway;
        if (isAway) database.cutAll();
      },
      cutConnections: () => database.cutAll(),
      setTrouble(trouble) {
        const { loss, timeout, latencyMs } = trouble ?? { loss: 0, timeout: 0, latencyMs: plan.databaseLatencyMs };
        Object.assign(database.conditions, { lossPerStatement: loss, timeoutPerStatement: timeout, latencyMs });
      },
    },
    setConditions(address, conditions) {
      if (conditions === null) network.conditions.delete(address);
      else network.conditions.set(address, { ...network.defaultConditions, ...conditions });
    },
    starve(stretch) {
      for (const each of [...webs, ...workers]) each.starve(stretch);
    },
  };
}

function shortError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.replaceAll(/\s+/g, ' ').slice(0, 200);
}
