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
  /** Tables of names and numbers, by their heading. */
  readonly counts: Awaited<ReturnType<typeof check>>['counts'];
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
  const seconds = (): number => Math.round((performance.now() - begun) / 100) / 10;
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-chaos-run-'));
  log(`seed ${plan.seed}; logs in ${folder}`);
  const closing = new AsyncDisposableStack();
  try {
    const environment = await startEnvironment(plan, folder, closing);
    log(`the environment is ready after ${seconds()} s`);
    const client = openMerchantClient(environment.send);
    const results: RoundResult[] = [];
    for (const [at, round] of plan.rounds.entries()) {
      if (performance.now() - begun > limitMs) break;
      results.push(await runRound(environment, client, round));
      const size = `${round.payments.length} payments, ${round.faults.length} faults`;
      log(`round ${at + 1} of ${plan.rounds.length}: ${size}, ${seconds()} s`);
    }
    const payments = results.flatMap((each) => each.payments);
    const isSettled = await settleRun(environment, client, payments, LONGEST_SESSION_MINUTES);
    log(`${isSettled ? 'settled' : 'NOT settled'} after ${seconds()} s`);
    const checked = await check(environment, client.answers, results, isSettled);
    return { ...checked, seed: plan.seed, seconds: seconds(), folder };
  } finally {
    await closing.disposeAsync();
  }
}

async function check(
  { faultProxy, servers, simulators, records, postgres, clock, webs, workers }: Environment,
  answers: Observations['answers'],
  results: readonly RoundResult[],
  isSettled: boolean,
) {
  const { entries, calls, struck } = await simulators.readStatements();
  const observations: Observations = {
    ...(await readDatabase(records)),
    wrongRollups: await findWrongRollups(postgres.url),
    answers,
    deliveries: servers.deliveries,
    forgeries: faultProxy.forgeries,
    statements: entries,
    calls,
  };
  const { payments, deliveries, duplicateCharges, refunds, events } = observations;
  const violations = findViolations(observations);
  if (!isSettled) {
    const left = await records.unfinished(clock.now(), 'any');
    violations.unshift(violation('never_settled', `open items are left: ${JSON.stringify(left)}`));
  }
  const faults = results.flatMap((each) => each.faults.map(({ kind }) => kind));
  const processes = [...webs, ...workers];
  const counts = {
    'payments by end': countBy(payments.map(({ status, underReview }) => `${status}${underReview ? ' (review)' : ''}`)),
    'faults by kind': countBy([...faults, ...new Array<string>(clock.steps).fill('all clocks stepped ahead')]),
    "calls hit by gateways' faults": struck,
    "faults of gateways' webhooks": countBy(faultProxy.hits),
    'processes started again': Object.fromEntries(processes.map(({ name, starts }) => [name, starts - 1])),
    'processes that ended by themselves': countBy(processes.flatMap(({ name, deaths }) => new Array<string>(deaths).fill(name))),
    'answers to merchants': countBy(answers.map(({ to, httpStatus }) => `${to} ${httpStatus ?? 'lost'}`)),
    'deliveries to merchants': countBy(deliveries.map(({ answered }) => String(answered ?? 'lost'))),
    money: {
      'paid checkouts': entries.filter(({ paid }) => paid !== null).length,
      'duplicate charges': duplicateCharges.length,
      refunds: refunds.length,
      events: events.length,
    },
    'violations by kind': countBy(violations.map(({ kind }) => kind)),
  };
  return { payments: payments.length, counts, violations };
}
