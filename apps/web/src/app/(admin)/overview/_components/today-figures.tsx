'use client';

import Link from 'next/link';
import { PAID_STATUSES, UNPAID_STATUSES } from '#/copy/payment-status.ts';
import { describeChange, formatDecimal, groupDecimal } from '#/format/amounts.ts';
import { dayOf } from '#/format/moments.ts';
import { isComparable, successRate } from '#/format/shares.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { addUp, commonestCurrency, type DayFigures } from './add-up.ts';
import classes from './today-figures.module.css';

type Today = RouterOutputs['payments']['today'];

const PAID = PAID_STATUSES.join(',');
const ENDED = [...PAID_STATUSES, ...UNPAID_STATUSES].join(',');

/** Today so far in four figures, each beside the same hours a week ago. */
export function TodayFigures({ today }: { today: Today | undefined }) {
  const scope = useScope();
  if (today === undefined) return <FiguresSkeleton />;
  const currency = commonestCurrency([...today.today, ...today.weekAgo]);
  const now = addUp(today.today, currency);
  const before = addUp(today.weekAgo, currency);
  const day = dayOf(today.dayStart);
  const list = (status: string | null) => hrefIn(scope, '/payments', { from: day, to: day, status });
  return (
    <section
      className="grid grid-cols-2 border-t border-line border-b border-line min-[860px]:grid-cols-4"
      aria-label="Today so far"
    >
      <Figure
        name={`Received today, ${currency}`}
        value={formatDecimal(currency, now.received)}
        change={isComparable(now.paid, before.paid) ? describeChange(Number(now.received), Number(before.received)) : ''}
        before={weekAgo(formatDecimal(currency, before.received), before.count)}
        href={list(PAID)}
      />
      <Figure
        name="Payments"
        value={groupDecimal(BigInt(now.count))}
        change={isComparable(now.count, before.count) ? describeChange(now.count, before.count) : ''}
        before={weekAgo(groupDecimal(BigInt(before.count)), before.count)}
        href={list(null)}
      />
      <Figure
        name="Success rate"
        value={successRate(now.paid, now.failed + now.expired)}
        change={describeUnpaid(now)}
        before={weekAgo(successRate(before.paid, before.failed + before.expired), before.paid + before.failed + before.expired)}
        href={list(ENDED)}
      />
      <Figure
        name="Awaiting payment"
        value={groupDecimal(BigInt(now.waiting))}
        change=""
        before={now.waiting === 0 ? 'No open checkouts' : 'Open checkouts'}
        href={list('INITIATED,PENDING')}
      />
    </section>
  );
}

/** How many payments failed, and how many were not paid in time; empty for none. */
function describeUnpaid({ failed, expired }: DayFigures): string {
  const parts = [
    { count: failed, word: 'failed' },
    { count: expired, word: 'expired' },
  ];
  return parts.flatMap(({ count, word }) => (count === 0 ? [] : [`${count.toLocaleString('en')} ${word}`])).join(', ');
}

/** The same figure up to the same time last week. */
function weekAgo(figure: string, of: number): string {
  return of === 0 ? 'None at the same time last week' : `vs ${figure} same time last week`;
}

function Figure({
  name,
  value,
  change,
  before,
  href,
}: {
  name: string;
  value: string;
  change: string;
  before: string;
  href: string;
}) {
  return (
    <Link href={href} className={classes.figure}>
      <span className="text-ink-faint text-xs">{name}</span>
      <span className="overflow-hidden text-2xl font-semibold tabular-nums tracking-[-0.015em] leading-[1.25] text-ellipsis">
        {value}
      </span>
      <span className="text-ink-faint text-xs tabular-nums">
        {change !== '' && <strong className="text-ink-quiet font-semibold">{change}</strong>} {before}
      </span>
    </Link>
  );
}

function FiguresSkeleton() {
  return (
    <div
      className="grid grid-cols-2 border-t border-line border-b border-line min-[860px]:grid-cols-4"
      role="status"
      aria-label="Loading today's figures"
    >
      {[0, 1, 2, 3].map((figure) => (
        <div key={figure} className={classes.figure}>
          <span className="block h-3.25 rounded-sm bg-ground-hover" style={{ width: '50%' }} />
          <span className="block h-3.25 rounded-sm bg-ground-hover" style={{ width: '70%', height: 26 }} />
          <span className="block h-3.25 rounded-sm bg-ground-hover" style={{ width: '60%' }} />
        </div>
      ))}
    </div>
  );
}
