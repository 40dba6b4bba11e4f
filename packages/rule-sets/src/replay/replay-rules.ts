import type { HealthContext } from '@switchyard/provider-health';
import type { FeeBasis } from '@switchyard/routing';
import { createReplay, type ReplayConditions, type ReplayResult } from '@switchyard/routing/replay';
import { type DraftQuery, type DraftRefusal, readDraft } from '../evaluate/read-draft.ts';
import { countPastPayments } from './past-payment-queries.ts';
import { pastPayments } from './past-payments.ts';

/** A draft, and the past payments to replay with it. */
export interface ReplayRulesQuery extends DraftQuery {
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  /** With which accounts and fees: those of each payment's own time when left out. */
  readonly conditions?: ReplayConditions;
  /** How both sides are priced; by contract when left out. */
  readonly fees?: FeeBasis;
}

/** Result of a finished replay. */
export interface ReplayOutcome {
  /** The live version the draft was compared with; 0 for none. */
  readonly liveVersion: number;
  readonly result: ReplayResult;
  /** Payments whose stored decision could not be read; no figure includes them. */
  readonly unreadable: number;
  /** True when the period holds more than {@link REPLAY_MAX} payments: the newest ones were taken. */
  readonly cut: boolean;
}

/** Progress of a replay; `done` comes once and last. */
export type ReplayStep =
  | DraftRefusal
  /** This process already runs its maximum of replays; try again later. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number; readonly moved: number }
  | ({ readonly kind: 'done' } & ReplayOutcome);

/** Most payments one replay takes. */
export const REPLAY_MAX = 1_000_000;
const CONCURRENT_REPLAYS_MAX = 2;
const PROGRESS_EVERY = 1_000;

let running = 0;

/**
 * Routes a merchant's past payments of a period under a draft and under the live rules, newest first. Yields progress; the last step
 * is the result or a refusal. Reads only, keeps no transaction open and yields to the event loop. Ends without a result when
 * `signal` is aborted.
 */
export async function* replayRules(
  context: HealthContext,
  query: ReplayRulesQuery,
  signal: AbortSignal,
): AsyncGenerator<ReplayStep, void, void> {
  if (running >= CONCURRENT_REPLAYS_MAX) return yield { kind: 'busy' };
  running += 1;
  try {
    yield* run(context, query, signal);
  } finally {
    running -= 1;
  }
}

async function* run(
  context: HealthContext,
  query: ReplayRulesQuery,
  signal: AbortSignal,
): AsyncGenerator<ReplayStep, void, void> {
  const draft = await readDraft(context, query);
  if (draft.kind !== 'draft') return yield draft;
  const { ruleSet: live, accounts } = draft.live;
  const { database } = context.resources;
  const counted = await countPastPayments(database, query, REPLAY_MAX + 1);
  const total = Math.min(counted, REPLAY_MAX);
  const { conditions = 'as_they_were', fees = 'contract' } = query;
  const replay = createReplay({ live: live.ruleSet, draft: draft.ruleSet, accounts, conditions, fees });
  let done = 0;
  let unreadable = 0;
  let reported = 0;
  yield { kind: 'progress', done, total, moved: 0 };
  for await (const slice of pastPayments(database, { ...query, after: null, limit: total }, signal)) {
    for (const { past } of slice) {
      if (past === null) unreadable += 1;
      else replay.add(past);
    }
    done += slice.length;
    if (done - reported < PROGRESS_EVERY) continue;
    reported = done;
    yield { kind: 'progress', done, total, moved: replay.result().moved };
  }
  if (signal.aborted) return;
  yield { kind: 'done', liveVersion: live.ruleSet.version, result: replay.result(), unreadable, cut: counted > total };
}
