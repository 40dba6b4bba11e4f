'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeMonth, type MonthItem } from '#/copy/accounting.ts';
import { formatMoney } from '#/format/amounts.ts';
import { hrefIn, type Scope, scopeFilter } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { MonthState } from './month-state.tsx';

/** The months of each merchant: to close, closed and signed off. */
export function MonthsPage() {
  const trpc = useTRPC();
  const scope = useScope();
  const { data, error } = useQuery(trpc.monthClose.list.queryOptions(scopeFilter(scope)));
  return (
    <>
      <PageHead title="Month close">
        <Link href={hrefIn(scope, '/journal')}>Journal</Link>
      </PageHead>
      <p className="max-w-[90ch] -mt-2 mb-4 text-ink-quiet">
        Closing a month freezes its figures: payments, refunds, fees, disputes, payouts, what reached the bank, and what each
        gateway held. What changes later is shown beside them as adjustments.
      </p>
      <Refusal message={error?.message ?? null} />
      {data?.length === 0 && <EmptyState title="No month yet">Months are listed from the first payment on.</EmptyState>}
      {data !== undefined && data.length > 0 && <MonthsTable months={data} scope={scope} />}
    </>
  );
}

function MonthsTable({ months, scope }: { months: readonly MonthItem[]; scope: Scope }) {
  const withMerchants = scope.merchantId === null;
  const columns = [
    { title: 'Month' },
    ...(withMerchants ? [{ title: 'Merchant' }] : []),
    { title: 'Status' },
    { title: 'Closed' },
    { title: 'Signed off' },
    { title: 'Held at the end', number: true },
  ];
  return (
    <PlainTable label="Months" columns={columns}>
      <tbody {...roles.group}>
        {months.map((month) => (
          <tr key={`${month.merchantId} ${month.month}`} {...roles.row}>
            <th scope="row" {...roles.rowHeader}>
              <Link
                href={hrefIn({ mode: month.mode, merchantId: month.merchantId }, `/month-close/${month.month}`)}
                prefetch={false}
              >
                {describeMonth(month.month)}
              </Link>
            </th>
            {withMerchants && <td {...textCell('Merchant')}>{month.merchantName}</td>}
            <td {...textCell('Status')}>
              <MonthState state={month.state} />
            </td>
            <td {...textCell('Closed')}>{month.closedAt === null ? <None /> : <Moment value={month.closedAt} />}</td>
            <td {...textCell('Signed off')}>
              {month.signedAt === null ? (
                <None />
              ) : (
                <>
                  {month.signedName}, <Moment value={month.signedAt} />
                </>
              )}
            </td>
            <td {...numberCell('Held at the end')}>
              {month.totals.length === 0 ? (
                <None />
              ) : (
                month.totals.map(({ currency, closing }) => formatMoney(currency, closing)).join(' · ')
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

function None() {
  return <span className="text-ink-faint">–</span>;
}
