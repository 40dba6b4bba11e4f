import { PAID_STATUSES, type PaymentStatus } from '#/copy/payment-status.ts';

interface Sum {
  readonly status: PaymentStatus;
  readonly currency: string;
  readonly count: number;
  readonly amount: bigint;
}

/** A day in a few figures. Money of other currencies is left out of `received`: it cannot be added. */
export interface DayFigures {
  readonly received: bigint;
  readonly count: number;
  /** Paid, whether or not it was returned later. */
  readonly paid: number;
  /** Declined, or without a checkout. */
  readonly failed: number;
  /** Not paid in time: no gateway failed. */
  readonly expired: number;
  /** None of these yet. */
  readonly waiting: number;
}

/** The currency of most payments; that of the workspace without any. */
export function commonestCurrency(sums: readonly Pick<Sum, 'currency' | 'count'>[]): string {
  const counts = new Map<string, number>();
  for (const { currency, count } of sums) counts.set(currency, (counts.get(currency) ?? 0) + count);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['NGN', 0] as const)[0];
}

/** Adds up counts of every currency, and amounts of one. */
export function addUp(sums: readonly Sum[], currency: string): DayFigures {
  let received = 0n;
  let count = 0;
  let paid = 0;
  let failed = 0;
  let expired = 0;
  for (const sum of sums) {
    count += sum.count;
    if (sum.status === 'FAILED') failed += sum.count;
    if (sum.status === 'EXPIRED') expired += sum.count;
    if (!PAID_STATUSES.some((paidStatus) => paidStatus === sum.status)) continue;
    paid += sum.count;
    if (sum.currency === currency) received += sum.amount;
  }
  return { received, count, paid, failed, expired, waiting: count - paid - failed - expired };
}
