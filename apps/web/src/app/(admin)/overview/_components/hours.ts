import { SHARE_FROM } from '@switchyard/routing';
import { PAID_STATUSES, type PaymentStatus } from '#/copy/payment-status.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

type Sums = RouterOutputs['payments']['byHour']['today'];

/** Measures of the chart by hour. */
const HOUR_MEASURES = ['payments', 'received', 'success'] as const;

/** See {@link HOUR_MEASURES}. */
export type HourMeasure = (typeof HOUR_MEASURES)[number];

/** One hour of a day. */
export interface HourFigures {
  readonly payments: number;
  readonly paid: number;
  readonly failed: number;
  readonly expired: number;
  /** Received in the chart's currency, in whole main units. */
  readonly received: bigint;
}

const NONE: HourFigures = { payments: 0, paid: 0, failed: 0, expired: 0, received: 0n };
const HOURS = 24;

/** All 24 hours of a day. Money is that of one currency; payments of all currencies are counted. */
export function hoursOf(sums: Sums, currency: string): HourFigures[] {
  return Array.from({ length: HOURS }, (_, hour) =>
    sums
      .filter((sum) => sum.hour === hour)
      .reduce(
        (all, sum) => ({
          payments: all.payments + sum.payments,
          paid: all.paid + sum.paid,
          failed: all.failed + sum.failed,
          expired: all.expired + sum.expired,
          received: sum.currency === currency ? all.received + sum.received : all.received,
        }),
        NONE,
      ),
  );
}

/** The value of an hour in the chart; null for the success rate of fewer than twenty finished payments. */
export function hourValue({ payments, received, paid, failed, expired }: HourFigures, measure: HourMeasure): number | null {
  switch (measure) {
    case 'payments':
      return payments;
    case 'received':
      return Number(received);
    case 'success':
      return paid + failed + expired < SHARE_FROM ? null : paid / (paid + failed + expired);
    default:
      return measure satisfies never;
  }
}

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
