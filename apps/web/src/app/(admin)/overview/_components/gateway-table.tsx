'use client';

import Link from 'next/link';
import { gatewayTitle } from '#/copy/gateways.ts';
import { PAID_STATUSES, UNPAID_STATUSES } from '#/copy/payment-status.ts';
import { describeChange, formatDecimal, groupDecimal } from '#/format/amounts.ts';
import { dayOf } from '#/format/moments.ts';
import { isComparable, successRate } from '#/format/shares.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { addUp, commonestCurrency } from './add-up.ts';

const PAID = PAID_STATUSES.join(',');
const ENDED = [...PAID_STATUSES, ...UNPAID_STATUSES].join(',');

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
          const list = (status: string | null) =>
            hrefIn(scope, '/payments', { gateway: name || 'NONE', from: day, to: day, status });
          return (
            <tr key={name}>
              <th scope="row">
                <Link className={LINK} href={list(null)}>
                  {gatewayTitle(name)}
                </Link>
              </th>
              <td>
                <Link className={LINK} href={list(PAID)}>
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
