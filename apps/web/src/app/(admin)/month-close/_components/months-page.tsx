'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { wholeList } from '#/components/list/use-noun-list.ts';
import { MonthReview } from '#/components/month-review/month-review.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { Moment } from '#/components/time/moment.tsx';
import type { MonthItem } from '#/copy/accounting.ts';
import { formatMoney } from '#/format/amounts.ts';
import { describeMonth } from '#/format/calendar.ts';
import { hrefIn, scopeFilter } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { MonthState } from './month-state.tsx';

/** The months of each merchant: to close, closed and signed off. */
export function MonthsPage() {
  const trpc = useTRPC();
  const scope = useScope();
  const query = useQuery(trpc.monthClose.list.queryOptions(scopeFilter(scope)));
  return (
    <>
      <PageHead title="Month close">
        <Link href={hrefIn(scope, '/journal')}>Journal</Link>
      </PageHead>
      <p className="max-w-[90ch] -mt-2 mb-4 text-ink-quiet">
        Closing a month freezes its figures: payments, refunds, fees, disputes, payouts, what reached the bank, and what each
        gateway held. What changes later is shown beside them as adjustments.
      </p>
      <NounTable
        label="Months"
        name="months"
        list={wholeList(query, query.data)}
        columns={columnsOf(scope.merchantId === null)}
        rowKey={({ merchantId, month }) => `${merchantId} ${month}`}
        noun={['month', 'months']}
        empty={<EmptyState title="No month yet">Months are listed from the first payment on.</EmptyState>}
      />
      {scope.merchantId !== null && (
        <section className="mt-8" aria-label="Review of months">
          <h2 className="mb-2 text-base font-semibold">Review of months</h2>
          <MonthReview merchantId={scope.merchantId} mode={scope.mode} />
        </section>
      )}
    </>
  );
}

function columnsOf(withMerchants: boolean): DataColumn<MonthItem>[] {
  const merchant: DataColumn<MonthItem> = {
    id: 'merchant',
    header: 'Merchant',
    labelled: true,
    sortable: 'ascending',
    sortValue: ({ merchantName }) => merchantName.toLowerCase(),
    cell: ({ merchantName }) => merchantName,
  };
  return [
    {
      id: 'month',
      header: 'Month',
      fixed: true,
      card: 'main',
      sortable: 'descending',
      sortValue: ({ month }) => month,
      cell: ({ merchantId, mode, month }) => (
        <Link className="row-link font-medium" href={hrefIn({ mode, merchantId }, `/month-close/${month}`)} prefetch={false}>
          {describeMonth(month)}
        </Link>
      ),
    },
    ...(withMerchants ? [merchant] : []),
    { id: 'status', header: 'Status', labelled: true, cell: ({ state }) => <MonthState state={state} /> },
    {
      id: 'closed',
      header: 'Closed',
      labelled: true,
      cell: ({ closedAt }) => (closedAt === null ? <None /> : <Moment value={closedAt} />),
    },
    {
      id: 'signed',
      header: 'Signed off',
      labelled: true,
      cell: ({ signedAt, signedName }) =>
        signedAt === null ? (
          <None />
        ) : (
          <>
            {signedName}, <Moment value={signedAt} />
          </>
        ),
    },
    {
      id: 'held',
      header: 'Held at the end',
      labelled: true,
      look: 'number',
      className: 'card:text-start',
      cell: ({ totals }) =>
        totals.length === 0 ? <None /> : totals.map(({ currency, closing }) => formatMoney(currency, closing)).join(' · '),
    },
  ];
}

function None() {
  return <span className="text-ink-faint">–</span>;
}
