import { accountFee } from '../fee.ts';
import type { FeeBasis } from '../fee-types.ts';
import type { AccountHealth, RoutablePayment, RuleTarget } from '../types.ts';
import type { Eligibility } from './eligibility.ts';
import type { ConvertingAccount, StrategyFact } from './facts.ts';
import { drawOf, drawOrder, fallsWithin } from './split.ts';

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
