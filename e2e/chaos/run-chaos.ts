import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findWrongRollups } from '@switchyard/reporting/rollups';
import { eventually } from '../harness/eventually.ts';
import { findViolations } from '../world/checker/find-violations.ts';
import type { Observations } from '../world/checker/observations.ts';
import { readRows } from '../world/checker/read-rows.ts';
import type { Violation } from '../world/checker/violation.ts';
import { driveWorld } from '../world/drive/drive-world.ts';
import { type Host, type Slack, targetOf } from '../world/drive/inject-faults.ts';
import type { FaultPlan } from '../world/plan/faults.ts';
import type { Plan } from '../world/plan/plan.ts';
import { sendTo } from '../world/servers/open-world.ts';
import { countBy } from '../world/servers/simulators.ts';
import { type Environment, startEnvironment } from './environment/environment.ts';

/** Actions of a run, and its results. */
export interface RunReport {
  readonly seed: number;
  readonly seconds: number;
  readonly payments: number;
  /** Tables of names and numbers, by their heading. */
  readonly counts: ReturnType<typeof countAll>;
  readonly violations: readonly Violation[];
  /** Where the logs of all processes are. */
  readonly folder: string;
}

/** Drives a plan in an environment of its own, and checks what was seen; `log` gets a line now and then. */
export async function runChaos(plan: Plan, log: (line: string) => void): Promise<RunReport> {
  const startedAt = performance.now();
  const seconds = (): number => Math.round((performance.now() - startedAt) / 100) / 10;
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-chaos-run-'));
  log(`seed ${plan.seed}; logs in ${folder}`);
  const closing = new AsyncDisposableStack();
  try {
    const environment = await startEnvironment(plan.seed, folder, closing);
    const { world, database, clock, postgres } = environment;
    const host = machineHost(environment, (line) => log(`${seconds()} s: ${line}`));
    const driven = await driveWorld(plan, world, host, environment.merchants);
    const rows = await readRows(database.query, 'pg_xact_commit_timestamp(xmin)');
    const onRunClock = <T extends { readonly at: number }>(row: T): T => ({ ...row, at: clock.at(row.at) });
    const observations: Observations = {
      ...driven,
      ...rows,
      committed: rows.committed.map(onRunClock),
      moves: rows.moves.map(onRunClock),
      wrongRollups: await findWrongRollups(postgres.url),
    };
    const violations = findViolations(observations);
    const { struck } = await world.simulators.readStatements();
    const counts = { ...countAll(plan, environment, observations, violations), "calls hit by gateways' faults": struck };
    return { seed: plan.seed, seconds: seconds(), payments: rows.payments.length, counts, violations, folder };
  } finally {
    await closing.disposeAsync();
  }
}

function countAll(plan: Plan, { processes }: Environment, seen: Observations, violations: readonly Violation[]) {
  return {
    'payments by end': countBy(seen.payments.map(({ status, underReview }) => `${status}${underReview ? ' (review)' : ''}`)),
    'faults by kind': countBy(plan.faults.map(({ kind }) => kind)),
    'processes started again': Object.fromEntries(processes.map(({ name, starts }) => [name, starts - 1])),
    'processes that ended by themselves': Object.fromEntries(processes.map(({ name, deaths }) => [name, deaths])),
    'answers to merchants': countBy(seen.answers.map(({ to, httpStatus }) => `${to} ${httpStatus ?? 'lost'}`)),
    'deliveries to merchants': countBy(seen.deliveries.map(({ answered }) => String(answered ?? 'lost'))),
    money: {
      'paid checkouts': seen.statements.filter(({ paid }) => paid !== null).length,
      'duplicate charges': seen.duplicateCharges.length,
      refunds: seen.refunds.length,
      events: seen.events.length,
    },
    'violations by kind': countBy(violations.map(({ kind }) => kind)),
  };
}

const AWAY_MAX_MS = 1_500;
const POLL_MS = 250;
/** Longer than it takes to unlock a dead worker's jobs, and than any gateway timeout. */
const STANDSTILL_MS = 60_000;
const MINUTE_MS = 60_000;
/** How far all clocks step ahead at once. Every step costs a look-up of each open payment, on this machine's time. */
const STEPS_MS: Readonly<Record<Slack, number>> = {
  seconds: 3 * MINUTE_MS,
  minutes: 30 * MINUTE_MS,
  hours: 12 * 60 * MINUTE_MS,
  days: 24 * 60 * MINUTE_MS,
};

/** The host of a run on this machine: faults are signals and restarts, and time passes by steps of all clocks. */
function machineHost(environment: Environment, note: (line: string) => void): Host {
  const { database, processes, webs } = environment;
  return {
    note,
    comparesLists: false,
    rows: database.query,
    begin: (fault) => beginOwn(environment, fault),
    async untilReady() {
      await Promise.all(processes.map((each) => each.ready()));
      for (const web of webs) {
        await eventually(`${web.name} to be healthy`, async () => (await sendTo(web, '/api/health'))?.status === 200 || null);
      }
    },
    async pass(milliseconds, slack) {
      for (let left = milliseconds; left > 0; left -= STEPS_MS[slack]) {
        await step(environment, Math.min(left, STEPS_MS[slack]));
        await untilNothingIsDue(environment);
      }
    },
  };
}

async function beginOwn({ webs, workers, postgres, database }: Environment, fault: FaultPlan): Promise<() => void> {
  const { kind, which, lengthMs } = fault;
  const nothing = (): void => undefined;
  switch (kind) {
    case 'crash_web':
      targetOf(webs, which).kill();
      return nothing;
    case 'crash_worker':
      targetOf(workers, which).kill();
      return nothing;
    case 'pause_web':
      return targetOf(webs, which).suspend();
    case 'pause_worker':
      return targetOf(workers, which).suspend();
    case 'database_away':
      await postgres.restart('fast', Math.min(lengthMs, AWAY_MAX_MS));
      return nothing;
    case 'database_crash':
      await postgres.restart('immediate', Math.min(lengthMs, AWAY_MAX_MS));
      return nothing;
    case 'connections_cut':
      await database.cutConnections();
      return nothing;
    default:
      throw new Error(`a run on this machine cannot have ${kind}`);
  }
}

/** Steps all clocks ahead, and ages what goes by the database's. */
async function step({ clock, processes, database }: Environment, milliseconds: number): Promise<void> {
  await database.age(milliseconds);
  const state = clock.step(milliseconds);
  for (const each of processes) each.send(state);
}

/** Waits until nothing is due; rejects when the number of due items does not fall for a minute. */
async function untilNothingIsDue({ database, clock }: Environment): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let lately = performance.now();
  for (let quiet = 0; quiet < 2; ) {
    const due = await database.due(clock.now());
    const left = Object.values(due).reduce((sum, count) => sum + count, 0);
    if (left < least) {
      least = left;
      lately = performance.now();
    }
    if (performance.now() - lately > STANDSTILL_MS) throw new Error(`what is due is not done: ${JSON.stringify(due)}`);
    quiet = left === 0 ? quiet + 1 : 0;
    await pause(POLL_MS);
  }
}
