import type { HealthContext } from '@switchyard/provider-health';
import { type FeeBasis, type RoutableAccount, usedKeys } from '@switchyard/routing';
import { compileRuleSet, decide } from '@switchyard/routing/decide';
import { accountsInReplay, createReplay, type ReplayConditions, type ReplayResult } from '@switchyard/routing/replay';
import { type DraftQuery, type DraftRefusal, readDraft } from '../document/read-draft.ts';
import type { MovedPayment } from '../rows/shadow.ts';
import { countPastPayments, type PastPaymentKey, pastPayments, type ReplayablePayment } from './past-payments.ts';

/** Selects past payments that a draft would route to another account first. */
interface MovedPaymentsQuery extends ReplayRulesQuery {
  /** Only payments that move between these accounts; an account of null means no account. Null for all that move. */
  readonly move: { readonly from: string | null; readonly to: string | null } | null;
  /** `next` of the page before. */
  readonly after: PastPaymentKey | null;
  /** 1 to 200. */
  readonly limit: number;
}

/** A page of payments that move, or why the draft cannot be replayed. */
type MovedPaymentsOutcome =
  | {
      readonly kind: 'page';
      readonly items: readonly MovedPayment[];
      /** Cursor of the next page; null at the end of the period. A page may be short or empty and still have a next one. */
      readonly next: PastPaymentKey | null;
      /** Payments scanned for this page. */
      readonly scanned: number;
    }
  | DraftRefusal;

const PAGE_MAX = 200;
/** Most payments scanned for one page: bounds the response time when few have moved. */
const SCANNED_MAX = 20_000;

/** Payments of a period whose first choice the draft changes, newest first: the payments behind the figures of a replay. */
export async function listMovedPayments(context: HealthContext, query: MovedPaymentsQuery): Promise<MovedPaymentsOutcome> {
  const draft = await readDraft(context, query);
  if (draft.kind !== 'draft') return draft;
  const sides = { live: draft.live.ruleSet, draft: compileRuleSet(draft.ruleSet) };
  const { accounts } = draft.live;
  const { conditions = 'as_they_were' } = query;
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  const items: MovedPayment[] = [];
  let scanned = 0;
  let last: PastPaymentKey | null = null;
  const { database } = context.resources;
  const used = usedKeys(draft.ruleSet, draft.live.ruleSet.ruleSet);
  const { timeZone } = draft;
  const reading = pastPayments(database, { ...query, used, timeZone, limit: SCANNED_MAX }, new AbortController().signal);
  for await (const slice of reading) {
    for (const replayable of slice) {
      const moved = compareRoutes(replayable, sides, { accounts, conditions, move: query.move });
      scanned += 1;
      last = { createdAt: replayable.row.createdAt, paymentId: replayable.row.paymentId };
      if (moved !== null) items.push(moved);
      if (items.length === limit) return { kind: 'page', items, next: last, scanned };
    }
  }
  return { kind: 'page', items, next: scanned < SCANNED_MAX ? null : last, scanned };
}

type Compiled = ReturnType<typeof compileRuleSet>;

function compareRoutes(
  { row, past }: ReplayablePayment,
  sides: { readonly live: Compiled; readonly draft: Compiled },
  {
    accounts: today,
    conditions,
    move: wanted,
  }: {
    readonly accounts: readonly RoutableAccount[];
    readonly conditions: ReplayConditions;
    readonly move: MovedPaymentsQuery['move'];
  },
): MovedPayment | null {
  if (past === null) return null;
  const input = { ...past.inputs, accounts: accountsInReplay(past, today, conditions) };
  const from = decide({ ...input, ruleSet: sides.live }).plan[0]?.accountId ?? null;
  const after = decide({ ...input, ruleSet: sides.draft });
  const to = after.plan[0]?.accountId ?? null;
  if (from === to || (wanted !== null && (wanted.from !== from || wanted.to !== to))) return null;
  const { paymentId, merchantOrderId, createdAt, status } = row;
  const { amount, currency, method } = past.inputs.payment;
  return {
    paymentId,
    merchantOrderId,
    createdAt,
    status,
    amount: BigInt(amount),
    currency,
    method,
    from,
    to,
    ruleId: after.ruleId,
  };
}

/** A draft, and the past payments to replay with it. */
interface ReplayRulesQuery extends DraftQuery {
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
  const used = usedKeys(draft.ruleSet, live.ruleSet);
  const scan = { ...query, used, timeZone: draft.timeZone, after: null, limit: total };
  for await (const slice of pastPayments(database, scan, signal)) {
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
