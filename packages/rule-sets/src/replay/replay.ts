import type { HealthContext } from '@switchyard/provider-health';
import type { RoutableAccount, RoutablePayment } from '@switchyard/routing';
import { compileRuleSet, decide } from '@switchyard/routing/decide';
import { compareDecisions, type DecisionComparison } from '@switchyard/routing/recompute';
import { accountsInReplay, type ReplayConditions } from '@switchyard/routing/replay';
import { type DraftRefusal, readDraft } from '../evaluate/read-draft.ts';
import type { PastPaymentKey, PastPaymentRow } from './past-payment-queries.ts';
import { pastPayments, type ReplayablePayment } from './past-payments.ts';
import type { ReplayRulesQuery } from './replay-rules.ts';

export { type ReplayOutcome, replayRules } from './replay-rules.ts';

/** Selects past payments that a draft would route to another account first. */
interface MovedPaymentsQuery extends ReplayRulesQuery {
  /** Only payments that move between these accounts; an account of null means no account. Null for all that move. */
  readonly move: { readonly from: string | null; readonly to: string | null } | null;
  /** `next` of the page before. */
  readonly after: PastPaymentKey | null;
  /** 1 to 200. */
  readonly limit: number;
}

/** A past payment that the draft routes differently. */
export interface MovedPayment {
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly createdAt: Date;
  readonly status: PastPaymentRow['status'];
  readonly payment: RoutablePayment;
  /** First choices under the live rules and under the draft, and every other difference, one sentence each. */
  readonly comparison: DecisionComparison;
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
  const reading = pastPayments(database, { ...query, limit: SCANNED_MAX }, new AbortController().signal);
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
  const before = decide({ ...input, ruleSet: sides.live });
  const after = decide({ ...input, ruleSet: sides.draft });
  const from = before.plan[0]?.accountId ?? null;
  const to = after.plan[0]?.accountId ?? null;
  if (from === to || (wanted !== null && (wanted.from !== from || wanted.to !== to))) return null;
  const { paymentId, merchantOrderId, createdAt, status } = row;
  const comparison = compareDecisions(before, after);
  return { paymentId, merchantOrderId, createdAt, status, payment: past.inputs.payment, comparison };
}
