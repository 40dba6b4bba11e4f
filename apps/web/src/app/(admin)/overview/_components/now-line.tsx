'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { describeChange, formatMoney, isComparable } from '#/format/amounts.ts';
import { describeDuration } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { addUp, commonestCurrency } from './hours.ts';

type Payment = RouterOutputs['payments']['list']['items'][number];

/** The page in one line, before all figures: what needs a person, whether money comes in now, and how the day compares. */
export function NowLine({
  findings,
  today,
  lastPaid,
}: {
  findings: RouterOutputs['attention']['list']['items'] | undefined;
  today: RouterOutputs['payments']['today'] | undefined;
  /** The newest payment that succeeded; null for none, undefined while it is not known. */
  lastPaid: Payment | null | undefined;
}) {
  if (findings === undefined || today === undefined || lastPaid === undefined) {
    return <div className="h-6 mb-4 rounded-md bg-ground-hover" role="status" aria-label="Loading the state of the day" />;
  }
  return (
    <ul className="flex flex-wrap gap-x-7 gap-y-1 mb-4 text-lg leading-6" aria-label="Now">
      <Needed findings={findings} />
      <Flow today={today} lastPaid={lastPaid} />
      <Compared today={today} />
    </ul>
  );
}

/** The marks differ in shape too. */
const MARKS = { good: 'rounded-full bg-good', wait: 'rounded-[2px] bg-wait', bad: 'bg-bad', plain: 'rounded-full bg-over' };

function Part({ tone, children }: { tone: keyof typeof MARKS; children: ReactNode }) {
  return (
    <li className={`inline-flex items-center gap-2 tabular-nums ${tone === 'bad' ? 'text-bad-ink font-medium' : ''}`}>
      <i className={`flex-none w-2 h-2 ${MARKS[tone]}`} aria-hidden="true" />
      <span>{children}</span>
    </li>
  );
}

function Needed({ findings }: { findings: RouterOutputs['attention']['list']['items'] }) {
  const critical = findings.filter(({ severity }) => severity === 'critical').length;
  if (findings.length === 0) return <Part tone="good">Nothing needs you</Part>;
  const all = `${findings.length} ${findings.length === 1 ? 'needs' : 'need'} attention`;
  return (
    <Part tone={critical > 0 ? 'bad' : 'wait'}>
      <a href="#needs-attention">{critical === 0 ? all : `${all}, ${critical} critical`}</a>
    </Part>
  );
}

function Flow({ today, lastPaid }: { today: RouterOutputs['payments']['today']; lastPaid: Payment | null }) {
  const scope = useScope();
  const now = useNow();
  const { paid } = addUp(today.weekAgo, commonestCurrency(today.weekAgo));
  const { tone, text } = describeFlow({
    lastPaidAt: lastPaid?.createdAt ?? null,
    dayStart: today.dayStart,
    paidWeekAgo: paid,
    now,
  });
  return (
    <Part tone={tone}>
      <span>
        {text}
        {lastPaid !== null && (
          <>
            :{' '}
            <Link href={hrefIn(scope, `/payments/${lastPaid.paymentId}`)} prefetch={false}>
              {formatMoney(lastPaid.currency, lastPaid.amount)}
            </Link>
            , <Moment value={lastPaid.createdAt} />
          </>
        )}
      </span>
    </Part>
  );
}

function Compared({ today: { today, weekAgo } }: { today: RouterOutputs['payments']['today'] }) {
  const currency = commonestCurrency([...today, ...weekAgo]);
  const [now, before] = [addUp(today, currency), addUp(weekAgo, currency)];
  if (!isComparable(now.paid, before.paid)) return <Part tone="plain">Too few payments to compare the day</Part>;
  return (
    <Part tone="plain">
      Received {describeChange(Number(now.received), Number(before.received))} against the same hours last week
    </Part>
  );
}

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
/** One gap in twenty thousand is this many times the mean, where they come at random. */
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
