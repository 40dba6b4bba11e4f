import { SHARE_FROM } from '@switchyard/routing';
import type { RouterOutputs } from '#/trpc/outputs.ts';

type Sums = RouterOutputs['payments']['byHour']['today'];

/** Measures of the chart by hour. */
export const HOUR_MEASURES = ['payments', 'received', 'success'] as const;

/** See {@link HOUR_MEASURES}. */
export type HourMeasure = (typeof HOUR_MEASURES)[number];

/** One hour of a day. */
export interface HourFigures {
  readonly payments: number;
  readonly paid: number;
  readonly failed: number;
  readonly expired: number;
  /** Of the chart's currency, in whole main units. */
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
