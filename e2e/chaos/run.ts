import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findWrongRollups } from '@switchyard/reporting';
import { findViolations } from './checker/find-violations.ts';
import { type Violation, violation } from './checker/violation.ts';
import type { Witnesses } from './checker/witnesses.ts';
import { openDiary } from './drive/diary.ts';
import { comeToRest, type Played, playRound } from './drive/play.ts';
import { type Stage, setStage } from './environment/environment.ts';
import { readDatabase } from './environment/read-witness.ts';
import { countBy } from './environment/simulators.ts';
import { LONGEST_SESSION_MINUTES, type Plan } from './plan/plan.ts';

/** What a run did and what came of it. */
export interface RunReport {
  readonly seed: number;
  readonly seconds: number;
  readonly payments: number;
  readonly byEnd: Readonly<Record<string, number>>;
  /** How often all clocks stepped ahead. */
  readonly steps: number;
  readonly byFault: Readonly<Record<string, number>>;
  /** How often gateways' faults of calls struck. */
  readonly struck: Readonly<Record<string, number>>;
  readonly fates: Readonly<Record<string, number>>;
  /** How often each process was started again. */
  readonly restarts: Readonly<Record<string, number>>;
  /** How often a process ended though nobody had ended it. */
  readonly deaths: Readonly<Record<string, number>>;
  readonly requests: Readonly<Record<string, number>>;
  readonly paidCheckouts: number;
  readonly duplicateCharges: number;
  readonly refunds: number;
  readonly events: number;
  readonly deliveries: Readonly<Record<string, number>>;
  readonly atRest: boolean;
  readonly violations: readonly Violation[];
  /** Where the logs of all processes are. */
  readonly folder: string;
}

export interface RunOptions {
  /** Begins no further round after this. */
  readonly limitMs: number;
  readonly tell: (line: string) => void;
}

/** Plays a plan on a stage of its own, lets it come to rest, and holds the three witnesses against each other. */
export async function runChaos(plan: Plan, { limitMs, tell }: RunOptions): Promise<RunReport> {
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-chaos-run-'));
  tell(`seed ${plan.seed}; logs in ${folder}`);
  const stage = await setStage(plan, folder);
  try {
    tell(`the stage is set after ${seconds(begun)} s`);
    const diary = openDiary(stage.replicas);
    const played: Played[] = [];
    for (const [at, round] of plan.rounds.entries()) {
      if (performance.now() - begun > limitMs) break;
      played.push(await playRound(stage, diary, round));
      tell(
        `round ${at + 1} of ${plan.rounds.length}: ${round.payments.length} payments, ${round.faults.length} faults, ${seconds(begun)} s`,
      );
    }
    const stories = played.flatMap((each) => each.stories);
    const atRest = await comeToRest(stage, diary, stories, LONGEST_SESSION_MINUTES);
    tell(`${atRest ? 'at rest' : 'NOT at rest'} after ${seconds(begun)} s`);
    return await judge(stage, plan, { played, atRest, folder, begun, answers: diary.answers });
  } finally {
    await stage.close();
  }
}

interface Outcome {
  readonly played: readonly Played[];
  readonly atRest: boolean;
  readonly folder: string;
  readonly begun: number;
  readonly answers: Witnesses['answers'];
}

async function judge(stage: Stage, plan: Plan, { played, atRest, folder, begun, answers }: Outcome): Promise<RunReport> {
  const { gate, servers, standIns, records, postgres } = stage;
  const books = await standIns.readBooks();
  const witnesses: Witnesses = {
    ...(await readDatabase(records)),
    wrongSums: await findWrongRollups(postgres.url),
    answers,
    deliveries: servers.deliveries,
    forgeries: gate.forgeries,
    books: books.entries,
    calls: books.calls,
  };
  const left = await records.unfinished(stage.clock.now(), 'any');
  const unrest = atRest ? [] : [violation('never_settled', `things are left to do: ${JSON.stringify(left)}`)];
  const faults = played.flatMap((each) => each.faults);
  return {
    seed: plan.seed,
    seconds: seconds(begun),
    payments: witnesses.payments.length,
    byEnd: countBy(witnesses.payments.map(({ status, underReview }) => `${status}${underReview ? ' (review)' : ''}`)),
    steps: stage.clock.steps,
    byFault: countBy(faults.map(({ kind }) => kind)),
    struck: books.struck,
    fates: gate.fates,
    restarts: Object.fromEntries([...stage.webs, ...stage.workers].map(({ name, starts }) => [name, starts - 1])),
    deaths: Object.fromEntries(
      [...stage.webs, ...stage.workers].flatMap(({ name, deaths }) => (deaths > 0 ? [[name, deaths]] : [])),
    ),
    requests: countBy(answers.map(({ to, httpStatus }) => `${to} ${httpStatus ?? 'lost'}`)),
    paidCheckouts: books.entries.filter(({ paid }) => paid !== null).length,
    duplicateCharges: witnesses.duplicateCharges.length,
    refunds: witnesses.refunds.length,
    events: witnesses.events.length,
    deliveries: countBy(servers.deliveries.map(({ answered }) => String(answered ?? 'lost'))),
    atRest,
    violations: [...unrest, ...findViolations(witnesses)],
    folder,
  };
}

function seconds(begun: number): number {
  return Math.round((performance.now() - begun) / 100) / 10;
}
