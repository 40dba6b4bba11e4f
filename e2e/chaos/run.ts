import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findWrongRollups } from '@switchyard/reporting';
import { findViolations } from './checker/find-violations.ts';
import type { Observations } from './checker/observations.ts';
import { type Violation, violation } from './checker/violation.ts';
import { openMerchantClient } from './drive/merchant-client.ts';
import { type RoundResult, runRound, settleRun } from './drive/run-round.ts';
import { type Environment, startEnvironment } from './environment/environment.ts';
import { readDatabase } from './environment/read-observations.ts';
import { countBy } from './environment/simulators.ts';
import { LONGEST_SESSION_MINUTES, type Plan } from './plan/plan.ts';

/** What a run did, and its results. */
export interface RunReport {
  readonly seed: number;
  readonly seconds: number;
  readonly payments: number;
  readonly byEnd: Readonly<Record<string, number>>;
  /** How often all clocks stepped ahead. */
  readonly steps: number;
  readonly byFault: Readonly<Record<string, number>>;
  /** How often gateways' faults hit calls. */
  readonly struck: Readonly<Record<string, number>>;
  readonly faultCounts: Readonly<Record<string, number>>;
  /** How often each process was started again. */
  readonly restarts: Readonly<Record<string, number>>;
  /** How often a process ended by itself. */
  readonly deaths: Readonly<Record<string, number>>;
  readonly requests: Readonly<Record<string, number>>;
  readonly paidCheckouts: number;
  readonly duplicateCharges: number;
  readonly refunds: number;
  readonly events: number;
  readonly deliveries: Readonly<Record<string, number>>;
  readonly isSettled: boolean;
  readonly violations: readonly Violation[];
  /** Where the logs of all processes are. */
  readonly folder: string;
}

export interface RunOptions {
  /** Begins no further round after this. */
  readonly limitMs: number;
  readonly log: (line: string) => void;
}

/** Runs a plan in an environment of its own, settles it, and checks the three observations against each other. */
export async function runChaos(plan: Plan, { limitMs, log }: RunOptions): Promise<RunReport> {
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-chaos-run-'));
  log(`seed ${plan.seed}; logs in ${folder}`);
  const environment = await startEnvironment(plan, folder);
  try {
    log(`the environment is ready after ${seconds(begun)} s`);
    const client = openMerchantClient(environment.replicas);
    const results: RoundResult[] = [];
    for (const [at, round] of plan.rounds.entries()) {
      if (performance.now() - begun > limitMs) break;
      results.push(await runRound(environment, client, round));
      log(
        `round ${at + 1} of ${plan.rounds.length}: ${round.payments.length} payments, ${round.faults.length} faults, ${seconds(begun)} s`,
      );
    }
    const payments = results.flatMap((each) => each.payments);
    const isSettled = await settleRun(environment, client, payments, LONGEST_SESSION_MINUTES);
    log(`${isSettled ? 'settled' : 'NOT settled'} after ${seconds(begun)} s`);
    return await report(environment, plan, { results, isSettled, folder, begun, answers: client.answers });
  } finally {
    await environment.close();
  }
}

interface Outcome {
  readonly results: readonly RoundResult[];
  readonly isSettled: boolean;
  readonly folder: string;
  readonly begun: number;
  readonly answers: Observations['answers'];
}

async function report(
  environment: Environment,
  plan: Plan,
  { results, isSettled, folder, begun, answers }: Outcome,
): Promise<RunReport> {
  const { faultProxy, servers, simulators, records, postgres } = environment;
  const statements = await simulators.readStatements();
  const observations: Observations = {
    ...(await readDatabase(records)),
    wrongRollups: await findWrongRollups(postgres.url),
    answers,
    deliveries: servers.deliveries,
    forgeries: faultProxy.forgeries,
    statements: statements.entries,
    calls: statements.calls,
  };
  const left = await records.unfinished(environment.clock.now(), 'any');
  const unsettled = isSettled ? [] : [violation('never_settled', `open items are left: ${JSON.stringify(left)}`)];
  const faults = results.flatMap((each) => each.faults);
  return {
    seed: plan.seed,
    seconds: seconds(begun),
    payments: observations.payments.length,
    byEnd: countBy(observations.payments.map(({ status, underReview }) => `${status}${underReview ? ' (review)' : ''}`)),
    steps: environment.clock.steps,
    byFault: countBy(faults.map(({ kind }) => kind)),
    struck: statements.struck,
    faultCounts: faultProxy.faultCounts,
    restarts: Object.fromEntries([...environment.webs, ...environment.workers].map(({ name, starts }) => [name, starts - 1])),
    deaths: Object.fromEntries(
      [...environment.webs, ...environment.workers].flatMap(({ name, deaths }) => (deaths > 0 ? [[name, deaths]] : [])),
    ),
    requests: countBy(answers.map(({ to, httpStatus }) => `${to} ${httpStatus ?? 'lost'}`)),
    paidCheckouts: statements.entries.filter(({ paid }) => paid !== null).length,
    duplicateCharges: observations.duplicateCharges.length,
    refunds: observations.refunds.length,
    events: observations.events.length,
    deliveries: countBy(servers.deliveries.map(({ answered }) => String(answered ?? 'lost'))),
    isSettled,
    violations: [...unsettled, ...findViolations(observations)],
    folder,
  };
}

function seconds(begun: number): number {
  return Math.round((performance.now() - begun) / 100) / 10;
}
