import type { HealthContext } from '@switchyard/provider-health';
import { createReplay, type ReplayConditions, type ReplayResult } from '@switchyard/routing/replay';
import { type DraftQuery, type DraftRefusal, readDraft } from '../evaluate/read-draft.ts';
import { countPastPayments } from './past-payment-queries.ts';
import { pastPayments } from './past-payments.ts';

export interface ReplayRulesQuery extends DraftQuery {
  /** Inclusive. */
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  /** With which accounts and fees: those of each payment's own time when left out. */
  readonly conditions?: ReplayConditions;
}

/** What a finished replay came to. */
export interface ReplayOutcome {
  /** The version that was live, 0 for none; the draft was held against it. */
  readonly liveVersion: number;
  readonly result: ReplayResult;
  /** Payments whose stored decision could not be read; they are in no figure. */
  readonly unreadable: number;
  /** True when the period holds more than {@link REPLAY_MAX} payments: the newest ones were taken. */
  readonly cut: boolean;
}

export type ReplayStep =
  | DraftRefusal
  /** This process is replaying as much as it may at once; to be asked again. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number; readonly moved: number }
  | ({ readonly kind: 'done' } & ReplayOutcome);

/** Most payments one replay takes. */
export const REPLAY_MAX = 1_000_000;
const REPLAYS_AT_ONCE = 2;
const PROGRESS_EVERY = 1_000;

let running = 0;

/**
 * Sends the merchant's own payments of a period through a draft and through what is live, newest first, telling how far it has
 * come; the last step is the result, or says why there is none. Reads only, holds no transaction open, and leaves the process free
 * to do other work in between. Ends without a result when `signal` is aborted.
 */
export async function* replayRules(
  context: HealthContext,
  query: ReplayRulesQuery,
  signal: AbortSignal,
): AsyncGenerator<ReplayStep, void, void> {
  if (running >= REPLAYS_AT_ONCE) return yield { kind: 'busy' };
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
  const { conditions = 'as_they_were' } = query;
  const replay = createReplay({ live: live.ruleSet, draft: draft.ruleSet, accounts, conditions });
  let [done, unreadable, told] = [0, 0, 0];
  yield { kind: 'progress', done, total, moved: 0 };
  for await (const slice of pastPayments(database, { ...query, after: null, most: total }, signal)) {
    for (const { past } of slice) {
      if (past === null) unreadable += 1;
      else replay.add(past);
    }
    done += slice.length;
    if (done - told < PROGRESS_EVERY) continue;
    told = done;
    yield { kind: 'progress', done, total, moved: replay.result().moved };
  }
  if (signal.aborted) return;
  yield { kind: 'done', liveVersion: live.ruleSet.version, result: replay.result(), unreadable, cut: counted > total };
}
