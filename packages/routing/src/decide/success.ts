import type { SuccessRate } from '../fee-types.ts';
import type { RoutableAccount, RoutablePayment } from '../types.ts';

/** The chance that a payment is paid at an account, and what it was estimated from. */
export interface SuccessEstimate {
  /** 0 to 1. */
  readonly chance: number;
  /** Finished payments of the account by the same method and of the same size, and how many of them were paid. */
  readonly paid: number;
  readonly finished: number;
}

/** Payments of the wider group that each narrower one counts beside its own. */
const PRIOR_WEIGHT = 20;

/**
 * Estimates the chance of success at each of some accounts from finished payments of the last weeks: those of the method and size, beside
 * twenty with the share of the whole account, which counts beside twenty with that of its gateway, and that beside twenty with the share of
 * all these accounts. Few payments so weigh little. Nothing known is a chance of 1 everywhere, so that fees decide.
 */
export function estimateSuccess(
  accounts: readonly RoutableAccount[],
  payment: Pick<RoutablePayment, 'currency' | 'method' | 'amount'>,
): (account: RoutableAccount) => SuccessEstimate {
  const all = countOf(accounts.flatMap(({ successRates = [] }) => successRates));
  const average = all.finished === 0 ? 1 : all.paid / all.finished;
  return ({ gateway, successRates = [] }) => {
    const atGateway = accounts.filter((account) => account.gateway === gateway).flatMap((account) => account.successRates ?? []);
    const alike = countOf(successRates.filter((rate) => isOf(rate, payment)));
    const chance = [countOf(atGateway), countOf(successRates), alike].reduce(
      (wider, { paid, finished }) => (paid + PRIOR_WEIGHT * wider) / (finished + PRIOR_WEIGHT),
      average,
    );
    return { chance, ...alike };
  };
}

function countOf(rates: readonly SuccessRate[]): { readonly paid: number; readonly finished: number } {
  let paid = 0;
  let finished = 0;
  for (const rate of rates) {
    paid += rate.paid;
    finished += rate.finished;
  }
  return { paid, finished };
}

function isOf(
  { currency, method, amount: { from, to } }: SuccessRate,
  payment: Pick<RoutablePayment, 'currency' | 'method' | 'amount'>,
): boolean {
  if (currency !== payment.currency || method !== payment.method) return false;
  return payment.amount >= from && (to === null || payment.amount <= to);
}
