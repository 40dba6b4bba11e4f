import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findWrongRollups } from '@switchyard/reporting/rollups';
import { findViolations } from '../world/checker/find-violations.ts';
import type { Observations } from '../world/checker/observations.ts';
import { readRows } from '../world/checker/read-rows.ts';
import type { Violation } from '../world/checker/violation.ts';
import { driveWorld } from '../world/drive/drive-world.ts';
import type { Plan } from '../world/plan/plan.ts';
import { countBy } from '../world/servers/simulators.ts';
import { type Environment, startEnvironment } from './environment/environment.ts';
import { machineHost } from './host.ts';

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
