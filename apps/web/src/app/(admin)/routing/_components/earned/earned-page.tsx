'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Button } from '#/components/button/button.tsx';
import { saveFile } from '#/components/export-button/download.ts';
import { PageFailed } from '#/components/page/page-failed.tsx';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { PlainTable } from '#/components/plain-table/plain-table.tsx';
import { formatDecimal, successRate } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { describeDifference } from '../canary/describe-canary.ts';
import { RoutingSkeleton } from '../list/routing-skeleton.tsx';
import { useRoutingScope } from '../queries/use-routing.ts';
import { describeEarned, describeMoney, type EarnedMonth, earnedCsv, monthName } from './describe-earned.ts';

const REFRESH_MS = 60_000;

/** Earnings of routing by month, against customers who are routed by the default order alone. */
export function EarnedPage() {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const { data, isError, refetch } = useQuery(trpc.routing.earned.queryOptions(scope, { refetchInterval: REFRESH_MS }));
  const { data: merchant } = useQuery(trpc.merchants.byId.queryOptions({ merchantId: scope.merchantId }));
  const percent = merchant?.holdoutPercent ?? 0;
  const settings = hrefIn(scope, `/merchants/${scope.merchantId}`);
  const [latest] = data ?? [];
  return (
    <>
      <BackLink href={hrefIn(scope, '/routing')}>Rules</BackLink>
      <PageHead title="What routing earned">
        {data !== undefined && data.length > 0 && (
          <Button onClick={() => saveFile(new Blob([earnedCsv(data)], { type: 'text/csv' }), `routing-earned-${scope.mode}.csv`)}>
            Export
          </Button>
        )}
      </PageHead>
      {data === undefined && !isError && <RoutingSkeleton />}
      {data === undefined && isError && <PageFailed code={undefined} onRetry={() => void refetch()} />}
      {latest !== undefined && (
        <p className="max-w-[90ch] mb-4 text-lg" role="status">
          {describeEarned(latest)}
        </p>
      )}
      {data !== undefined && data.length > 0 && <Months months={data} />}
      {data !== undefined && (
        <p className="max-w-[80ch] mt-4 text-ink-quiet">
          {percent === 0 ? (
            <>
              No customers are held out. To measure what rules earn, hold out 1 to 5% of customers in{' '}
              <Link href={settings}>the merchant’s settings</Link>: they are routed by the default order, and never to an account
              that is down.
            </>
          ) : (
            <>
              {percent}% of customers are held out: routed by the default order, and never to an account that is down. Change it
              in <Link href={settings}>the merchant’s settings</Link>.
              {data.length === 0 && ' Figures appear once the time to pay of the first customers is over.'}
            </>
          )}
        </p>
      )}
      {data !== undefined && data.length > 0 && (
        <p className="max-w-[80ch] mt-2 text-ink-faint text-sm">
          Each customer counts once a month, by the first payment. The difference lies between the two figures with a confidence
          of 95%, however often you look. Earned: the difference, times all payments that rules routed, times what a paid one
          leaves after fees.
        </p>
      )}
    </>
  );
}

function Months({ months }: { months: readonly EarnedMonth[] }) {
  return (
    <PlainTable
      label="What routing earned by month"
      columns={[
        { title: 'Month' },
        { title: 'By the rules', number: true },
        { title: 'Held out', number: true },
        { title: 'Difference', number: true },
        { title: 'Earned', number: true },
        { title: 'Fees by the rules', number: true },
        { title: 'Fees, held out', number: true },
      ]}
    >
      <tbody>
        {months.map((month) => (
          <tr key={`${month.month} ${month.currency}`}>
            <th scope="row">
              {monthName(month.month)}, {month.currency}
            </th>
            <td className="text-right">{sideText(month.routed)}</td>
            <td className="text-right">
              {sideText(month.heldOut)}, {month.percent}% held out
            </td>
            <td className="text-right">{describeDifference(month) ?? '–'}</td>
            <td className="text-right">
              {month.earned === null ? 'Not enough yet' : describeMoney(month.currency, month.earned)}
            </td>
            <td className="text-right">{formatDecimal(month.currency, month.routed.fees)}</td>
            <td className="text-right">{formatDecimal(month.currency, month.heldOut.fees)}</td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function sideText({ customers, paid }: EarnedMonth['routed']): string {
  return `${successRate(paid, customers - paid)} of ${customers.toLocaleString('en')}`;
}
