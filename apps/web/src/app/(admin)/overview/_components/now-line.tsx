'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { describeChange, formatMoney, isComparable } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { describeFlow } from './flow.ts';
import { addUp, commonestCurrency } from './hours.ts';
import classes from './now-line.module.css';

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
    <ul className={classes.line} aria-label="Now">
      <Needed findings={findings} />
      <Flow today={today} lastPaid={lastPaid} />
      <Compared today={today} />
    </ul>
  );
}

function Part({ tone, children }: { tone: 'good' | 'bad' | 'wait' | 'plain'; children: ReactNode }) {
  return (
    <li className={classes.part} data-tone={tone}>
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
