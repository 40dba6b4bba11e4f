import { accountsOf, type CompiledRuleSet, compileRuleSet } from '../decide/compile.ts';
import { decide } from '../decide/decide.ts';
import { feeAt } from '../fee.ts';
import type { FeeBasis } from '../fee-types.ts';
import type { Decision, DecisionInputs, RoutableAccount, RoutingRecord, Rule, RuleSet } from '../types.ts';
import {
  type ComparedPayments,
  compareOrders,
  newMovesTally,
  type OrderComparison,
  type PastOutcome,
  type WhatMoves,
} from './what-moves.ts';

/** A payment that was routed in the past, and its outcome. */
export interface PastPayment {
  /** As stored with the decision: payment, accounts, health and overrides of then. */
  readonly inputs: DecisionInputs;
  /** Account whose session the customer had; null when none opened. */
  readonly servedBy: string | null;
  readonly outcome: PastOutcome;
}

/** Changes that a draft would have made for past payments, compared with the live rules. */
export interface ReplayResult extends WhatMoves {
  /**
   * Payments that no account listed by the draft can take, although one listed by the live rules could: they would have had no
   * route but accounts that no list names, or none at all. With a few of them.
   */
  readonly unroutable: { readonly payments: number; readonly examples: readonly string[] };
}

/**
 * With which accounts and fees past payments are replayed: those of their own time, or those of today. Health and overrides are those
 * of their own time in both.
 */
export type ReplayConditions = 'as_they_were' | 'today';

/** The two rule sets to compare, and the conditions to replay under. */
export interface ReplaySetup {
  readonly live: RuleSet;
  readonly draft: RuleSet;
  /** Accounts of today. */
  readonly accounts?: readonly RoutableAccount[];
  /** `as_they_were` when left out. */
  readonly conditions?: ReplayConditions;
  /** How both sides are priced; by contract when left out. Rules keep the basis of their own. */
  readonly fees?: FeeBasis;
}

/** A running comparison: payments are added one at a time. */
export interface Replay {
  add(past: PastPayment): void;
  /** The result so far; may be read at any time, to show progress. */
  result(): ReplayResult;
}

const EXAMPLES_MAX = 5;

/**
 * Sends past payments through a draft and through the live rules, each with the health and overrides of its own time, and with the
 * accounts and fees of its own time or of today. Both sides decide by the same payment id, so that equal rule sets move nothing, splits included. A requested gateway stays requested.
 * Holds counters only: memory grows with the number of accounts and rules, not of payments.
 */
export function createReplay(setup: ReplaySetup): Replay {
  const sides = { live: sideOf(setup.live), draft: sideOf(setup.draft) };
  const tally = newMovesTally();
  const unroutable: string[] = [];
  let unroutablePayments = 0;
  return {
    add: (past) => {
      const accounts = accountsInReplay(past, setup.accounts ?? [], setup.conditions ?? 'as_they_were');
      const { compared, isUnroutable } = comparePayment(past, sides, accounts, setup.fees ?? 'contract');
      tally.add(compared);
      if (!isUnroutable) return;
      unroutablePayments += 1;
      if (unroutable.length < EXAMPLES_MAX) unroutable.push(past.inputs.payment.paymentId);
    },
    result: () => ({ ...tally.result(), unroutable: { payments: unroutablePayments, examples: [...unroutable] } }),
  };
}

/**
 * The accounts that a past payment is replayed with, on both sides. Beside those of its own time stand accounts that the merchant has
 * gained since, so that a draft may name new ones; with today's, there are no others.
 */
export function accountsInReplay(
  { inputs }: Pick<PastPayment, 'inputs'>,
  today: readonly RoutableAccount[],
  conditions: ReplayConditions,
): readonly RoutableAccount[] {
  if (conditions === 'today') return today;
  const known = new Set(inputs.accounts.map((account) => account.accountId));
  const newer = today.filter((account) => !known.has(account.accountId));
  return newer.length === 0 ? inputs.accounts : [...inputs.accounts, ...newer];
}

/** Replays a whole series at once. */
export function replay(setup: ReplaySetup, payments: Iterable<PastPayment>): ReplayResult {
  const running = createReplay(setup);
  for (const past of payments) running.add(past);
  return running.result();
}

/** One of the two rule sets, compiled, and its rules by id. */
interface Side {
  readonly compiled: CompiledRuleSet;
  readonly rules: ReadonlyMap<string, Rule>;
}

function sideOf(ruleSet: RuleSet): Side {
  return { compiled: compileRuleSet(ruleSet), rules: new Map(ruleSet.rules.map((rule) => [rule.ruleId, rule])) };
}

/** True if any account of the plan is one that the merchant has listed for such a payment. */
function isRouted({ plan, ruleId, inputs }: Decision, { compiled, rules }: Side): boolean {
  const rule = ruleId === null ? undefined : rules.get(ruleId);
  const named = rule ? accountsOf(rule.then) : [];
  return plan.some(
    ({ accountId, gateway }) =>
      named.includes(accountId) ||
      compiled.ruleSet.defaultOrder.includes(accountId) ||
      gateway === inputs.payment.requestedGateway,
  );
}

/** One payment decided by both sides with the same accounts; unroutable if only the draft lists no account that can take it. */
function comparePayment(
  { inputs, outcome, servedBy }: PastPayment,
  { live, draft }: { readonly live: Side; readonly draft: Side },
  accounts: readonly RoutableAccount[],
  basis: FeeBasis,
): { readonly compared: ComparedPayments; readonly isUnroutable: boolean } {
  const before = decide({ ...inputs, accounts, ruleSet: live.compiled });
  const after = decide({ ...inputs, accounts, ruleSet: draft.compiled });
  const [livePlan, plan] = [idsOf(before), idsOf(after)];
  const { paymentId, amount, currency, method } = inputs.payment;
  const from = livePlan[0] ?? null;
  const to = plan[0] ?? null;
  const result = compareOrders(livePlan, plan);
  const fees = { from: feeAt(accounts, from, inputs.payment, basis), to: feeAt(accounts, to, inputs.payment, basis) };
  const compared = { payments: 1, currency, method, amount: BigInt(amount), result, from, to, outcome, servedBy };
  return {
    compared: {
      ...compared,
      fees: fees.from === null || fees.to === null ? null : { from: BigInt(fees.from), to: BigInt(fees.to) },
      why: result === 'MOVED' ? whyMoved(before, after, live, draft) : null,
      example: paymentId,
    },
    isUnroutable: !isRouted(after, draft) && isRouted(before, live),
  };
}

function idsOf({ plan }: Decision): string[] {
  return plan.map(({ accountId }) => accountId);
}

function whyMoved(before: Decision, after: Decision, live: Side, draft: Side): string {
  const ground = ({ ruleId }: Decision, { rules }: Side) =>
    ruleId === null ? 'the default order' : `rule "${rules.get(ruleId)?.name ?? ruleId}"`;
  if (before.ruleId !== after.ruleId) return `It follows ${ground(after, draft)} instead of ${ground(before, live)}.`;
  return before.ruleId === null ? 'The default order differs.' : `The accounts of ${ground(after, draft)} differ.`;
}

/** The accounts that a real decision tried, in order, and those it left out: the record's candidates. */
interface DecidedOrder {
  readonly candidates: readonly Pick<RoutingRecord['candidates'][number], 'eligible' | 'subproviderId'>[];
}

/** The draft's decision for a payment, beside the recorded one. */
interface ShadowComparison {
  readonly result: OrderComparison;
  /** The draft's rule; null for its default order. */
  readonly ruleId: string | null;
  /** The first account that was tried, and the draft's; null where no account can take the payment. */
  readonly liveAccountId: string | null;
  readonly accountId: string | null;
  /** Fees at these accounts in hundredths of the main unit; null without a fee schedule. */
  readonly liveFee: number | null;
  readonly fee: number | null;
}

/**
 * Decides a payment again by the rules of a draft, with the accounts, health and overrides that its real decision was taken from, and
 * compares. Pure: nothing of the real decision is changed, and the same stored decision gives the same comparison at any time.
 */
export function decideInShadow(
  { inputs, taken }: { readonly inputs: DecisionInputs; readonly taken: DecidedOrder },
  draft: CompiledRuleSet,
): ShadowComparison {
  const decision = decide({ ...inputs, ruleSet: draft });
  const plan = decision.plan.map(({ accountId }) => accountId);
  const livePlan = taken.candidates.filter(({ eligible }) => eligible).map(({ subproviderId }) => subproviderId);
  const liveAccountId = livePlan[0] ?? null;
  const accountId = plan[0] ?? null;
  return {
    result: compareOrders(livePlan, plan),
    ruleId: decision.ruleId,
    liveAccountId,
    accountId,
    liveFee: feeAt(inputs.accounts, liveAccountId, inputs.payment, 'contract'),
    fee: feeAt(inputs.accounts, accountId, inputs.payment, 'contract'),
  };
}
