import { accountFee } from '../fee.ts';
import type { FeeBasis } from '../fee-types.ts';
import type { AccountHealth, RoutablePayment, RuleTarget } from '../types.ts';
import { type CompiledRule, type CompiledRuleSet, findRule } from './compile.ts';
import type { Eligibility } from './eligibility.ts';
import type { ConvertingAccount, StrategyFact } from './facts.ts';
import { drawOf, drawOrder, fallsWithin } from './split.ts';
import { estimateSuccess } from './success.ts';

/** Source of the order of accounts for a payment. */
export type Path =
  | { readonly kind: 'requested'; readonly gateway: string }
  | { readonly kind: 'rule'; readonly rule: CompiledRule }
  | { readonly kind: 'default'; readonly because: 'no_method' | 'no_rule' | 'held_out' };

/** Every account of the merchant exactly once, in the order in which they are named. */
export interface RankedAccounts {
  /** The leading accounts, then the rest of the default order, then accounts that neither names. */
  readonly all: readonly Eligibility[];
  /** How many lead: accounts of the rule in its strategy's order, or of the requested gateway in the default order's. */
  readonly leading: number;
  /** How many are named at all; those beyond come after all that are. */
  readonly listed: number;
  readonly strategyReason: StrategyFact | null;
  /** How many accounts the rule names that the merchant does not have. */
  readonly missing: number;
}

/** A requested gateway bypasses the rules; without a method no rule can match, and for a customer who is held out none is asked. */
export function choosePath(payment: RoutablePayment, ruleSet: CompiledRuleSet, isHeldOut = false): Path {
  if (payment.requestedGateway !== null) return { kind: 'requested', gateway: payment.requestedGateway };
  if (isHeldOut) return { kind: 'default', because: 'held_out' };
  if (payment.method === null) return { kind: 'default', because: 'no_method' };
  const rule = findRule(ruleSet, payment);
  return rule ? { kind: 'rule', rule } : { kind: 'default', because: 'no_rule' };
}

/** Ranks the accounts, eligible or not. */
export function rank(
  path: Path,
  eligibilities: readonly Eligibility[],
  defaultOrder: readonly string[],
  payment: RoutablePayment,
): RankedAccounts {
  let all: Eligibility[] = [];
  let strategyReason: StrategyFact | null = null;
  let missing = 0;
  if (path.kind === 'rule') {
    const { target, accounts: named } = path.rule.target;
    const present: Eligibility[] = [];
    addNamed(present, eligibilities, named, null);
    missing = named.length - present.length;
    const ranking = rankAccounts(target, present, payment);
    strategyReason = ranking.reason;
    all = ranking.order;
  }
  if (path.kind === 'requested') {
    addNamed(all, eligibilities, defaultOrder, path.gateway);
    addRest(all, eligibilities, path.gateway);
  }
  const leading = all.length;
  addNamed(all, eligibilities, defaultOrder, null);
  const listed = all.length;
  addRest(all, eligibilities, null);
  return { all, leading, listed, strategyReason, missing };
}

/** Adds the accounts of a list that are not yet ranked; only those of `gateway`, unless it is null. */
function addNamed(
  all: Eligibility[],
  eligibilities: readonly Eligibility[],
  accountIds: readonly string[],
  gateway: string | null,
): void {
  for (const accountId of accountIds) {
    const eligibility = find(eligibilities, accountId);
    if (eligibility && (gateway === null || eligibility.account.gateway === gateway) && !all.includes(eligibility))
      all.push(eligibility);
  }
}

function addRest(all: Eligibility[], eligibilities: readonly Eligibility[], gateway: string | null): void {
  if (all.length === eligibilities.length) return;
  for (const eligibility of eligibilities) {
    if ((gateway === null || eligibility.account.gateway === gateway) && !all.includes(eligibility)) all.push(eligibility);
  }
}

function find(eligibilities: readonly Eligibility[], accountId: string): Eligibility | undefined {
  for (const eligibility of eligibilities) if (eligibility.account.accountId === accountId) return eligibility;
  return undefined;
}

/** The accounts of a rule in the order of its strategy, and the reason; null where the order needs none. */
export interface Ranking {
  readonly order: Eligibility[];
  readonly reason: StrategyFact | null;
}

/** Orders a rule's accounts, given in the order written, without changing the input. The plan filters them by eligibility later. */
export function rankAccounts(target: RuleTarget, named: Eligibility[], payment: RoutablePayment): Ranking {
  switch (target.strategy) {
    case 'priority':
      return { order: named, reason: null };
    case 'weighted':
      return rankBySplit(target.split, named, payment);
    case 'success_rate':
      return rankByConversion(target, named, payment);
    case 'lowest_cost':
      return rankByCost(named, payment, target.fees ?? 'contract');
    case 'expected_value':
      return rankByValue(named, payment, target.fees ?? 'contract');
    default:
      return target satisfies never;
  }
}

type Split = Extract<RuleTarget, { strategy: 'weighted' }>['split'];

function rankBySplit(split: Split, named: readonly Eligibility[], payment: RoutablePayment): Ranking {
  const percentOf = (eligibility: Eligibility) =>
    split.find((share) => share.account === eligibility.account.accountId)?.percent ?? 0;
  const order = drawOrder(
    named.map((member) => ({ member, weight: percentOf(member) })),
    payment.paymentId,
  );
  const drawn = order[0];
  if (!drawn) return { order, reason: null };
  const shares = named.map((eligibility) => ({ account: eligibility.account, percent: percentOf(eligibility) }));
  return { order, reason: { code: 'weighted_split', shares, drawn: drawn.account } };
}

function rankByConversion(
  target: Extract<RuleTarget, { strategy: 'success_rate' }>,
  named: readonly Eligibility[],
  payment: RoutablePayment,
): Ranking {
  const isMeasured = (eligibility: Eligibility) => samplesOf(eligibility.health) >= target.minSamples;
  const order = [...named.filter(isMeasured).sort(byConversion), ...named.filter((eligibility) => !isMeasured(eligibility))];
  const fit = order.filter((eligibility) => eligibility.ineligible === null && eligibility.keepsRank);
  const [best, ...others] = fit;
  if (!best) return { order, reason: null };
  if (others.length > 0 && fallsWithin(payment.paymentId, 'explore', target.explorationPercent)) {
    const explored = others[Math.floor(drawOf(payment.paymentId, 'explore-which') * others.length)] ?? best;
    const { explorationPercent } = target;
    return {
      order: [explored, ...order.filter((eligibility) => eligibility !== explored)],
      reason: { code: 'success_rate_exploration', explorationPercent, explored: explored.account },
    };
  }
  if (!isMeasured(best)) return { order, reason: { code: 'success_rate_unmeasured', minSamples: target.minSamples } };
  const measured = others.filter(isMeasured).map(toConvertingAccount);
  return { order, reason: { code: 'success_rate_best', best: toConvertingAccount(best), others: measured } };
}

function rankByCost(named: readonly Eligibility[], payment: RoutablePayment, basis: FeeBasis): Ranking {
  const fees = named.map((eligibility) => ({ eligibility, fee: accountFee(eligibility.account, payment, basis) }));
  const priced = fees.flatMap(({ eligibility, fee }) => (fee === null ? [] : [{ eligibility, fee }]));
  priced.sort((left, right) => left.fee - right.fee);
  const unpriced = fees.flatMap(({ eligibility, fee }) => (fee === null ? [eligibility] : []));
  const order = [...priced.map(({ eligibility }) => eligibility), ...unpriced];
  const able = priced.filter(({ eligibility }) => eligibility.ineligible === null);
  const [cheapest, ...others] = able.map(({ eligibility, fee }) => ({ account: eligibility.account, feeInHundredths: fee }));
  return { order, reason: cheapest ? { code: 'lowest_cost', basis, cheapest, others } : { code: 'lowest_cost_unknown' } };
}

/** Best first by `success × (amount − fee)`; accounts whose fee is not known come last, in the order written. */
function rankByValue(named: readonly Eligibility[], payment: RoutablePayment, basis: FeeBasis): Ranking {
  const successOf = estimateSuccess(
    named.map(({ account }) => account),
    payment,
  );
  const valued = named.flatMap((eligibility) => {
    const { account } = eligibility;
    const fee = accountFee(account, payment, basis);
    if (fee === null) return [];
    const success = successOf(account);
    const worth = success.chance * (payment.amount * 100 - fee);
    const facts = { account, success, feeInHundredths: fee, worthInHundredths: Math.round(worth) };
    return [{ eligibility, worth, facts }];
  });
  valued.sort((left, right) => right.worth - left.worth);
  const known = valued.map(({ eligibility }) => eligibility);
  const order = [...known, ...named.filter((eligibility) => !known.includes(eligibility))];
  const [best, ...others] = valued.filter(({ eligibility }) => eligibility.ineligible === null).map(({ facts }) => facts);
  return { order, reason: best ? { code: 'expected_value', basis, best, others } : { code: 'expected_value_unknown' } };
}

function samplesOf(health: AccountHealth | null): number {
  return health === null ? 0 : health.paid + health.unpaid;
}

/** Best first; compared by cross-multiplication, so that equal ratios are equal and keep the order written. */
function byConversion(left: Eligibility, right: Eligibility): number {
  return (right.health?.paid ?? 0) * samplesOf(left.health) - (left.health?.paid ?? 0) * samplesOf(right.health);
}

function toConvertingAccount({ account, health }: Eligibility): ConvertingAccount {
  return { account, paid: health?.paid ?? 0, finished: samplesOf(health) };
}
