import { setTimeout as pause } from 'node:timers/promises';
import { Problem, problemText } from '../bootstrap/problem.mjs';
import { areProgramsStopping } from './programs.ts';
import { print } from './progress.ts';

/** A program that has been started. */
export interface Started {
  /** Resolves when it is ready. Throws a Problem when it ends before, or takes too long. */
  ready(): Promise<void>;
  /** Resolves with the reason when it ends. */
  readonly died: Promise<Problem>;
}

/** How long to wait before a program that ended is started again: twice as long each time, until it has run for a while. */
const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;
const LASTING_MS = 60_000;
/** Starts in a row that never become ready, after which another one would not either. */
const FAILED_STARTS_MAX = 5;
/** The end of its log, and where all of it is. */
const SHOWN_HINTS = 3;

/**
 * Starts a running program again whenever it ends by itself, and says so, until `end`, or until the programs of this process are stopped. Resolves
 * with the reason once it does not start any more, after five starts in a row that never became ready; with null when it was ended.
 */
export async function keepRunning(
  name: string,
  running: Started,
  start: () => Started,
  end: AbortSignal,
): Promise<Problem | null> {
  const isOver = () => end.aborted || areProgramsStopping();
  let current = running;
  let pauseMs = FIRST_PAUSE_MS;
  let failedStarts = 0;
  for (;;) {
    const since = performance.now();
    const problem = await current.died;
    if (isOver()) return null;
    if (failedStarts >= FAILED_STARTS_MAX) return problem;
    if (performance.now() - since >= LASTING_MS) pauseMs = FIRST_PAUSE_MS;
    const shown = new Problem(problem.message, problem.hints.slice(-SHOWN_HINTS));
    print(`\n${problemText(shown)}\n  ${name} is started again in ${pauseMs / 1_000} s.\n`);
    await pause(pauseMs);
    if (isOver()) return null;
    pauseMs = Math.min(PAUSE_MAX_MS, 2 * pauseMs);
    current = start();
    const isReady = await current.ready().then(
      () => true,
      () => false,
    );
    failedStarts = isReady ? 0 : failedStarts + 1;
    if (isReady) print(`  ${name} runs again.\n`);
  }
}
