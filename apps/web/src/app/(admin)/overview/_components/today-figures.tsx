'use client';

import Link from 'next/link';
import { Badge } from '#/components/badge/badge.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { PAID_STATUSES, UNPAID_STATUSES } from '#/copy/payment-status.ts';
import { describeChange, formatDecimal, groupDecimal, isComparable, successRate } from '#/format/amounts.ts';
import { dayOf, describeLength } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { addUp, commonestCurrency, type DayFigures } from './hours.ts';
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
  const list = (status: string | null, of: string | null = null) =>
    hrefIn(scope, '/payments', { from: day, to: day, status, currency: of });
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
        href={list(PAID, currency)}
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
      <span className="text-2xl max-phone:text-lg font-semibold tabular-nums tracking-[-0.015em] leading-[1.25] wrap-anywhere">
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

/** Today by gateway, each against the same time last week. */
export function GatewayTable({ today }: { today: RouterOutputs['payments']['today'] | undefined }) {
  const scope = useScope();
  if (today === undefined)
    return <div className="h-[120px] rounded-md bg-ground-hover" role="status" aria-label="Loading today by gateway" />;
  const names = [...new Set([...today.today, ...today.weekAgo].map(({ gateway }) => gateway))].sort();
  if (names.length === 0)
    return <p className="text-ink-faint text-sm">No payments today, and none at the same time last week.</p>;
  const currency = commonestCurrency([...today.today, ...today.weekAgo]);
  const day = dayOf(today.dayStart);
  return (
    <table className="figures-table [--between:12px] [--row:40px]" aria-label="Today by gateway">
      <thead>
        <tr>
          <th scope="col">Gateway</th>
          <th scope="col">Received, {currency}</th>
          <th scope="col">Payments</th>
          <th scope="col">Success rate</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => {
          const now = addUp(
            today.today.filter(({ gateway }) => gateway === name),
            currency,
          );
          const before = addUp(
            today.weekAgo.filter(({ gateway }) => gateway === name),
            currency,
          );
          const list = (status: string | null, of: string | null = null) =>
            hrefIn(scope, '/payments', { gateway: name || 'NONE', from: day, to: day, status, currency: of });
          return (
            <tr key={name}>
              <th scope="row">
                <Link className={LINK} href={list(null)}>
                  {gatewayTitle(name)}
                </Link>
              </th>
              <td>
                <Link className={LINK} href={list(PAID, currency)}>
                  {formatDecimal(currency, now.received)}
                </Link>{' '}
                <Before
                  text={isComparable(now.paid, before.paid) ? describeChange(Number(now.received), Number(before.received)) : ''}
                />
              </td>
              <td>
                <Link className={LINK} href={list(null)}>
                  {groupDecimal(BigInt(now.count))}
                </Link>{' '}
                <Before text={isComparable(now.count, before.count) ? describeChange(now.count, before.count) : ''} />
              </td>
              <td>
                <Link className={LINK} href={list(ENDED)}>
                  {successRate(now.paid, now.failed + now.expired)}
                </Link>{' '}
                <Before text={`vs ${successRate(before.paid, before.failed + before.expired)}`} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const LINK = 'text-ink font-medium decoration-line-strong underline-offset-3 hover:text-accent-ink hover:decoration-current';

function Before({ text }: { text: string }) {
  return <span className="block text-ink-faint text-xs">{text}</span>;
}

/** The dependencies of this installation, and the gateways of the merchants shown. */
export function SystemFacts({ health }: { health: RouterOutputs['system']['health'] | undefined }) {
  const { mode } = useScope();
  if (health === undefined) return null;
  const { database, configuration, archiving } = health;
  const gateways = health.gateways.filter((gateway) => gateway.mode === mode);
  return (
    <DescriptionList>
      <Description name="Database">
        <Badge tone={database.up ? 'good' : 'bad'}>
          {database.up ? `Answers in ${database.latencyMs} ms` : 'Does not answer'}
        </Badge>
      </Description>
      <Description name="Configuration">
        <Badge tone={configuration.current ? 'good' : 'wait'}>
          {configuration.ageMs === null
            ? 'Not loaded yet'
            : configuration.current
              ? 'Current'
              : `${describeLength(configuration.ageMs)} old`}
        </Badge>
      </Description>
      {archiving !== null && (
        <Description name="Backups">
          <Badge tone={backups(archiving).tone}>{backups(archiving).text}</Badge>
        </Description>
      )}
      {gateways.map(({ gateway, accounts, enabled }) => (
        <Description key={gateway} name={gatewayTitle(gateway)}>
          {enabled === accounts ? countAccounts(accounts) : `${enabled} of ${countAccounts(accounts)} on`}
        </Description>
      ))}
      {gateways.length === 0 && <Description name="Gateways">No {mode} accounts</Description>}
    </DescriptionList>
  );
}

type Archiving = NonNullable<RouterOutputs['system']['health']['archiving']>;

const LATE_SECONDS = 900;
const OLD_SECONDS = 129_600;

/** The first thing that is wrong with what could be restored; as the alerts of operation have it. */
function backups({ archives, failing, archivedSeconds, baseSeconds, seesBackups }: Archiving): {
  readonly tone: 'good' | 'wait' | 'bad';
  readonly text: string;
} {
  if (!archives) return { tone: 'wait', text: 'The log is not archived' };
  if (failing) return { tone: 'bad', text: 'The log cannot be archived' };
  if (archivedSeconds === null) return { tone: 'wait', text: 'No log archived yet' };
  if (archivedSeconds > LATE_SECONDS) return { tone: 'bad', text: `Log archived ${describeLength(archivedSeconds * 1_000)} ago` };
  if (!seesBackups) return { tone: 'good', text: 'Log archived; base backups unknown' };
  if (baseSeconds === null) return { tone: 'bad', text: 'No base backup' };
  const age = describeLength(baseSeconds * 1_000);
  return baseSeconds > OLD_SECONDS
    ? { tone: 'bad', text: `Base backup ${age} old` }
    : { tone: 'good', text: `Base backup ${age} old` };
}

function countAccounts(count: number): string {
  return count === 1 ? '1 account' : `${count} accounts`;
}
