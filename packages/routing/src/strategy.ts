import type { Standing } from './eligibility.ts';
import { feeInHundredths } from './fee.ts';
import { formatAmount, formatHundredths, groupDigits } from './money.ts';
import { describeShare } from './sentence.ts';
import { drawOf, drawOrder, fallsWithin } from './split.ts';
import type { AccountHealth, RoutablePayment, RoutingReason, RuleTarget } from './types.ts';

/** The accounts of a rule in the order its strategy puts them, and the sentence that says why; null where order speaks for itself. */
export interface Ranking {
  readonly order: Standing[];
  readonly reason: RoutingReason | null;
}

/** Orders a rule's accounts, given in the order written; the order is the caller's to keep. Eligibility changes no place here; the plan is cut from the order later. */
export function rankAccounts(target: RuleTarget, named: Standing[], payment: RoutablePayment): Ranking {
  switch (target.strategy) {
    case 'priority':
      return { order: named, reason: null };
    case 'weighted':
      return rankBySplit(target.split, named, payment);
    case 'success_rate':
      return rankByConversion(target, named, payment);
    case 'lowest_cost':
      return rankByCost(named, payment);
    default:
      return target satisfies never;
  }
}

type Split = Extract<RuleTarget, { strategy: 'weighted' }>['split'];

function rankBySplit(split: Split, named: readonly Standing[], payment: RoutablePayment): Ranking {
  const percentOf = (standing: Standing) => split.find((share) => share.account === standing.account.accountId)?.percent ?? 0;
  const order = drawOrder(
    named.map((member) => ({ member, weight: percentOf(member) })),
    payment.paymentId,
  );
  const shares = named.map((standing) => `${percentOf(standing)}% ${standing.account.label}`).join(', ');
  const drawn = order[0];
  if (!drawn) return { order, reason: null };
  const message = `The split is ${shares}; this payment's draw fell on ${drawn.account.label}.`;
  return { order, reason: ruleReason('weighted_split', 'Split by percentage', message) };
}

function rankByConversion(
  target: Extract<RuleTarget, { strategy: 'success_rate' }>,
  named: readonly Standing[],
  payment: RoutablePayment,
): Ranking {
  const isMeasured = (standing: Standing) => samplesOf(standing.health) >= target.minSamples;
  const order = [...named.filter(isMeasured).sort(byConversion), ...named.filter((standing) => !isMeasured(standing))];
  const fit = order.filter((standing) => standing.ineligible === null && standing.state !== 'degraded');
  const [best, ...others] = fit;
  if (!best) return { order, reason: null };
  if (others.length > 0 && fallsWithin(payment.paymentId, 'explore', target.explorationPercent)) {
    const explored = others[Math.floor(drawOf(payment.paymentId, 'explore-which') * others.length)] ?? best;
    const message = `${target.explorationPercent}% of payments try an account other than the best, to keep measuring; this one tries ${explored.account.label}.`;
    return {
      order: [explored, ...order.filter((standing) => standing !== explored)],
      reason: ruleReason('success_rate_exploration', 'Exploration', message),
    };
  }
  if (!isMeasured(best)) {
    const message = `No account that can take this payment has ${groupDigits(target.minSamples)} finished payments yet, so the order written applies.`;
    return { order, reason: ruleReason('success_rate_unmeasured', 'Too few payments to compare', message) };
  }
  const rest = others.filter(isMeasured).map((standing) => `${standing.account.label} ${describeConversion(standing.health)}`);
  const against = rest.length === 0 ? '' : `, against ${rest.join(', ')}`;
  const message = `${best.account.label} converts best: ${describeConversion(best.health)}${against}.`;
  return { order, reason: ruleReason('success_rate_best', 'Best conversion', message) };
}

function rankByCost(named: readonly Standing[], payment: RoutablePayment): Ranking {
  const priced = named.flatMap((standing) =>
    standing.account.fees ? [{ standing, fee: feeInHundredths(standing.account.fees, payment.amount) }] : [],
  );
  priced.sort((left, right) => left.fee - right.fee);
  const order = [...priced.map(({ standing }) => standing), ...named.filter((standing) => !standing.account.fees)];
  const able = priced.filter(({ standing }) => standing.ineligible === null);
  const [cheapest, ...others] = able;
  const amount = formatAmount(payment.currency, payment.amount);
  if (!cheapest) {
    const message = `No account that can take ${amount} has a fee schedule, so the order written applies.`;
    return { order, reason: ruleReason('lowest_cost_unknown', 'No fees to compare', message) };
  }
  const price = (fee: number) => formatHundredths(payment.currency, fee);
  const rest = others.map(({ standing, fee }) => `${price(fee)} at ${standing.account.label}`);
  const against = rest.length === 0 ? '' : `, against ${rest.join(', ')}`;
  const message = `${cheapest.standing.account.label} costs least for ${amount}: ${price(cheapest.fee)}${against}.`;
  return { order, reason: ruleReason('lowest_cost', 'Lowest cost', message) };
}

function samplesOf(health: AccountHealth | null): number {
  return health === null ? 0 : health.paid + health.unpaid;
}

/** Best first; compared by cross-multiplication, so that equal ratios are equal and keep the order written. */
function byConversion(left: Standing, right: Standing): number {
  return (right.health?.paid ?? 0) * samplesOf(left.health) - (left.health?.paid ?? 0) * samplesOf(right.health);
}

function describeConversion(health: AccountHealth | null): string {
  return describeShare(health?.paid ?? 0, samplesOf(health));
}

function ruleReason(code: string, title: string, message: string): RoutingReason {
  return { code, title, message, category: 'rule', severity: 'info' };
}
