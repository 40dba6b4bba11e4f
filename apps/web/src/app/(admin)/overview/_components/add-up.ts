interface Sum {
  readonly status: 'INITIATED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'REFUNDED';
  readonly currency: string;
  readonly count: number;
  readonly amount: bigint;
}

/** A day in a few figures. Money of other currencies than the commonest is left out of `received`: it cannot be added. */
export interface DayFigures {
  readonly currency: string;
  readonly received: bigint;
  readonly count: number;
  /** Paid, whether or not it was returned later. */
  readonly paid: number;
  readonly failed: number;
  /** Neither paid nor failed yet. */
  readonly waiting: number;
}

/** Adds up counts and amounts per status and currency. */
export function addUp(sums: readonly Sum[]): DayFigures {
  const commonest = [...sums].sort((a, b) => b.count - a.count)[0];
  const currency = commonest?.currency ?? 'NGN';
  let received = 0n;
  let count = 0;
  let paid = 0;
  let failed = 0;
  for (const sum of sums) {
    count += sum.count;
    if (sum.status === 'FAILED') failed += sum.count;
    if (sum.status !== 'SUCCESS' && sum.status !== 'REFUNDED') continue;
    paid += sum.count;
    if (sum.currency === currency) received += sum.amount;
  }
  return { currency, received, count, paid, failed, waiting: count - paid - failed };
}
