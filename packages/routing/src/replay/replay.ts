import { accountsOf, type CompiledRuleSet, compileRuleSet } from '../decide/compile.ts';
import { decide } from '../decide/decide.ts';
import { accountFee } from '../fee.ts';
import type { FeeBasis } from '../fee-types.ts';
import type { Decision, DecisionInputs, RoutableAccount, Rule, RuleSet } from '../types.ts';
import {
  type ConversionEstimate,
  type EarnedEstimate,
  estimateConversion,
  estimateEarned,
  type Observed,
  type ValueFlow,
} from './replay-conversion.ts';

/** A payment that was routed in the past, and its outcome. */
export interface PastPayment {
  /** As stored with the decision: payment, accounts, health and overrides of then. */
  readonly inputs: DecisionInputs;
  /** Account whose session the customer had; null when none opened. */
  readonly servedBy: string | null;
  readonly outcome: PastOutcome;
}

/** How a past payment ended; `open` has not ended yet and counts for no account's conversion. */
export type PastOutcome = 'paid' | 'unpaid' | 'open';

/** Payments by how they ended. */
type OutcomeCounts = Readonly<Record<PastOutcome, number>>;

/** Payments that the draft routes to another account first. */
export interface Move {
  /** Account ids; null when no account takes the payment. */
  readonly from: string | null;
  readonly to: string | null;
  readonly payments: number;
  readonly outcomes: OutcomeCounts;
}

/** Payments of the past that the draft routes to another account first. */
interface ReplayedMove extends Move {
  /** Fees of the paid ones among them. */
  readonly fees: readonly FeeDifference[];
  /** Sum of their amounts per currency, main unit. */
  readonly amounts: Readonly<Record<string, bigint>>;
  /** Why, most frequent first. */
  readonly why: readonly { readonly message: string; readonly payments: number }[];
  /** Ids of a few of them. */
  readonly examples: readonly string[];
}

/** Fees of one currency, in hundredths of its main unit. Both sides are priced alike: by the accounts' contracts, or by effective rates. */
export interface FeeDifference {
  readonly currency: string;
  readonly live: bigint;
  readonly draft: bigint;
  /** Draft minus live; negative is a saving. */
  readonly difference: bigint;
  /** Paid payments that were compared, and those left out because an account on either side has no fee schedule. */
  readonly compared: number;
  readonly unpriced: number;
}

/** Changes that a draft makes to a number of payments, compared with the rules in force, however they were decided a second time. */
export interface WhatMoves<Moving extends Move = Move> {
  readonly payments: number;
  readonly moved: number;
  /** Largest first. */
  readonly moves: readonly Moving[];
  /** First choice unchanged, fallbacks not. */
  readonly reordered: number;
  /** Fees of paid payments, by the draft against those by the rules in force. */
  readonly fees: readonly FeeDifference[];
  readonly conversion: ConversionEstimate;
}

/** Changes that a draft would have made for past payments, compared with the live rules. */
export interface ReplayResult extends WhatMoves<ReplayedMove> {
  readonly outcomes: OutcomeCounts;
  /**
   * Payments that no account listed by the draft can take, although one listed by the live rules could: they would have had no
   * route but accounts that no list names, or none at all. With a few of them.
   */
  readonly unroutable: { readonly payments: number; readonly examples: readonly string[] };
  /** By currency of the payments that move. */
  readonly earned: readonly EarnedEstimate[];
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
  const live = sideOf(setup.live);
  const draft = sideOf(setup.draft);
  const tally = newTally();
  return {
    add: (past) => {
      const accounts = accountsInReplay(past, setup.accounts ?? [], setup.conditions ?? 'as_they_were');
      addPayment(tally, past, live, draft, { accounts, fees: setup.fees ?? 'contract' });
    },
    result: () => summarise(tally),
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

interface MoveTally {
  readonly from: string | null;
  readonly to: string | null;
  payments: number;
  readonly outcomes: Record<PastOutcome, number>;
  readonly fees: Map<string, FeeTally>;
  readonly amounts: Record<string, bigint>;
  readonly why: Map<string, number>;
  readonly examples: string[];
}

interface FeeTally {
  live: bigint;
  draft: bigint;
  compared: number;
  unpriced: number;
}

interface Tally {
  payments: number;
  readonly outcomes: Record<PastOutcome, number>;
  reordered: number;
  unroutable: number;
  readonly unroutableExamples: string[];
  readonly moves: Map<string, MoveTally>;
  readonly fees: Map<string, FeeTally>;
  readonly observed: Map<string, Observed>;
  /** By currency, method and move, and by whether both fees are known. */
  readonly flows: Map<string, ValueFlow>;
}

function newTally(): Tally {
  const maps = { moves: new Map(), fees: new Map(), observed: new Map(), flows: new Map() };
  const outcomes = { paid: 0, unpaid: 0, open: 0 };
  return { payments: 0, outcomes, reordered: 0, unroutable: 0, unroutableExamples: [], ...maps };
}

/** Accounts that a payment is routed among, with their prices. */
interface Conditions {
  readonly accounts: readonly RoutableAccount[];
  readonly fees: FeeBasis;
}

function addPayment(tally: Tally, past: PastPayment, live: Side, draft: Side, conditions: Conditions): void {
  const { inputs } = past;
  const { accounts } = conditions;
  const before = decide({ ...inputs, accounts, ruleSet: live.compiled });
  const after = decide({ ...inputs, accounts, ruleSet: draft.compiled });
  tally.payments += 1;
  tally.outcomes[past.outcome] += 1;
  observe(tally, past);
  const from = before.plan[0]?.accountId ?? null;
  const to = after.plan[0]?.accountId ?? null;
  if (past.outcome === 'paid') addFees(tally.fees, inputs, conditions, from, to);
  if (from !== to) {
    const move = addMove(tally, before, after, conditions, whyMoved(before, after, live, draft));
    move.outcomes[past.outcome] += 1;
    if (past.outcome === 'paid') addFees(move.fees, inputs, conditions, from, to);
  } else if (before.plan.some((attempt, place) => attempt.accountId !== after.plan[place]?.accountId)) tally.reordered += 1;
  if (isRouted(after, draft) || !isRouted(before, live)) return;
  tally.unroutable += 1;
  if (tally.unroutableExamples.length < EXAMPLES_MAX) tally.unroutableExamples.push(inputs.payment.paymentId);
}

/** Counts how the account that served converts, by method. */
function observe(tally: Tally, { inputs, servedBy, outcome }: PastPayment): void {
  if (servedBy === null || outcome === 'open') return;
  const key = `${inputs.payment.method ?? 'ANY'}|${servedBy}`;
  const seen = tally.observed.get(key) ?? { paid: 0, all: 0 };
  tally.observed.set(key, { paid: seen.paid + (outcome === 'paid' ? 1 : 0), all: seen.all + 1 });
}

function addFees(
  fees: Map<string, FeeTally>,
  { payment }: DecisionInputs,
  conditions: Conditions,
  from: string | null,
  to: string | null,
): void {
  const sums = fees.get(payment.currency) ?? { live: 0n, draft: 0n, compared: 0, unpriced: 0 };
  fees.set(payment.currency, sums);
  const liveFee = feeAt(conditions, payment, from);
  const draftFee = feeAt(conditions, payment, to);
  if (liveFee === null || draftFee === null) {
    sums.unpriced += 1;
    return;
  }
  sums.compared += 1;
  sums.live += BigInt(liveFee);
  sums.draft += BigInt(draftFee);
}

function addMove(tally: Tally, before: Decision, after: Decision, conditions: Conditions, why: string): MoveTally {
  const { payment } = before.inputs;
  const from = before.plan[0]?.accountId ?? null;
  const to = after.plan[0]?.accountId ?? null;
  const key = `${from}>${to}`;
  const move: MoveTally = tally.moves.get(key) ?? newMove(from, to);
  tally.moves.set(key, move);
  move.payments += 1;
  move.amounts[payment.currency] = (move.amounts[payment.currency] ?? 0n) + BigInt(payment.amount);
  move.why.set(why, (move.why.get(why) ?? 0) + 1);
  if (move.examples.length < EXAMPLES_MAX) move.examples.push(payment.paymentId);
  addFlow(tally, before, conditions, from, to);
  return move;
}

function addFlow(
  tally: Tally,
  { inputs: { payment } }: Decision,
  conditions: Conditions,
  from: string | null,
  to: string | null,
): void {
  const method = payment.method ?? 'ANY';
  const { currency } = payment;
  const netAt = (accountId: string | null) => {
    const fee = feeAt(conditions, payment, accountId);
    return fee === null ? null : payment.amount * 100 - fee;
  };
  const [fromNet, toNet] = [netAt(from), netAt(to)];
  const isPriced = fromNet !== null && toNet !== null;
  const key = `${currency}|${method}|${from}>${to}|${isPriced}`;
  const flow = tally.flows.get(key) ?? { currency, method, from, to, payments: 0, net: isPriced ? { from: 0, to: 0 } : null };
  const net = flow.net !== null && isPriced ? { from: flow.net.from + fromNet, to: flow.net.to + toNet } : null;
  tally.flows.set(key, { ...flow, payments: flow.payments + 1, net });
}

function feeAt({ accounts, fees }: Conditions, payment: DecisionInputs['payment'], accountId: string | null): number | null {
  const account = accounts.find((each) => each.accountId === accountId);
  return account === undefined ? null : accountFee(account, payment, fees);
}

function newMove(from: string | null, to: string | null): MoveTally {
  const outcomes = { paid: 0, unpaid: 0, open: 0 };
  return { from, to, payments: 0, outcomes, fees: new Map(), amounts: {}, why: new Map(), examples: [] };
}

function whyMoved(before: Decision, after: Decision, live: Side, draft: Side): string {
  const ground = ({ ruleId }: Decision, { rules }: Side) =>
    ruleId === null ? 'the default order' : `rule "${rules.get(ruleId)?.name ?? ruleId}"`;
  if (before.ruleId !== after.ruleId) return `It follows ${ground(after, draft)} instead of ${ground(before, live)}.`;
  return before.ruleId === null ? 'The default order differs.' : `The accounts of ${ground(after, draft)} differ.`;
}

function summarise(tally: Tally): ReplayResult {
  const moves = Array.from(tally.moves.values())
    .map(({ why, ...move }) => ({
      ...move,
      outcomes: { ...move.outcomes },
      fees: differencesOf(move.fees),
      amounts: { ...move.amounts },
      examples: [...move.examples],
      why: Array.from(why, ([message, payments]) => ({ message, payments })).sort((a, b) => b.payments - a.payments),
    }))
    .sort((left, right) => right.payments - left.payments);
  return {
    payments: tally.payments,
    outcomes: { ...tally.outcomes },
    moved: moves.reduce((sum, move) => sum + move.payments, 0),
    moves,
    reordered: tally.reordered,
    unroutable: { payments: tally.unroutable, examples: [...tally.unroutableExamples] },
    fees: differencesOf(tally.fees),
    conversion: estimateConversion(tally.payments, tally.observed, Array.from(tally.flows.values())),
    earned: estimateEarned(tally.observed, Array.from(tally.flows.values())),
  };
}

function differencesOf(fees: ReadonlyMap<string, FeeTally>): FeeDifference[] {
  return Array.from(fees, ([currency, sums]) => ({ currency, ...sums, difference: sums.draft - sums.live }));
}
