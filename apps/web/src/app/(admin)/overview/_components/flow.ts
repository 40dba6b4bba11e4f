import { describeDuration } from '#/format/moments.ts';

/** Facts from which it follows whether money comes in now. */
interface FlowFacts {
  /** When the newest payment that succeeded was created; null for none. */
  readonly lastPaidAt: Date | null;
  /** The beginning of today. */
  readonly dayStart: Date;
  /** Payments that succeeded in the same hours a week ago. */
  readonly paidWeekAgo: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A silence of less says nothing, however busy the hours usually are. */
const SILENCE_MIN_MS = 10 * 60_000;
/** Of gaps that come at random, one this many times the mean is one in twenty thousand. */
const USUAL_GAPS = 10;

/**
 * The flow of money: comes in now, or has stopped. It has stopped where nothing was paid for ten times the mean gap between payments in the same hours a week
 * ago, and for ten minutes at least; with fewer than ten payments then, nothing is said of a stop.
 */
export function describeFlow({ lastPaidAt, dayStart, paidWeekAgo, now }: FlowFacts): {
  readonly tone: 'good' | 'bad' | 'plain';
  readonly text: string;
} {
  const since = now - Math.max(lastPaidAt?.getTime() ?? 0, dayStart.getTime());
  const usualGap = (now - dayStart.getTime()) / paidWeekAgo;
  const isKnown = paidWeekAgo >= USUAL_GAPS;
  if (isKnown && since > Math.max(SILENCE_MIN_MS, USUAL_GAPS * usualGap)) {
    return { tone: 'bad', text: `No payment has succeeded for ${describeDuration(since)}` };
  }
  if (lastPaidAt === null) return { tone: 'plain', text: 'No payment has succeeded yet' };
  return { tone: isKnown ? 'good' : 'plain', text: isKnown ? 'Money is coming in' : 'Last paid' };
}
