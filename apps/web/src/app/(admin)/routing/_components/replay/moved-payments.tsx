'use client';

import { formatMoney } from '@switchyard/routing';
import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useMemo } from 'react';
import { StatusBadge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { MiddleCut } from '#/components/copyable/middle-cut.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useRoutingScope } from '../queries/use-routing.ts';
import classes from './moved-payments.module.css';
import type { Period, ReplayConditions, ReplayRules } from './use-replay.ts';

type MovedPayment = Extract<RouterOutputs['routing']['movedPayments'], { kind: 'page' }>['items'][number];

/** The payments that would have gone to another account, each linked to its page. */
export function MovedPayments({
  rules,
  period,
  conditions,
  move,
  nameOf,
  onAll,
}: {
  rules: ReplayRules;
  period: Period;
  conditions: ReplayConditions;
  move: string | null;
  nameOf: (accountId: string | null) => string;
  onAll: () => void;
}) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const [from, to] = move?.split('>') ?? [];
  const wanted = move === null ? null : { from: from || null, to: to || null };
  const { data, hasNextPage, fetchNextPage, isFetching, error, refetch } = useInfiniteQuery(
    trpc.routing.movedPayments.infiniteQueryOptions(
      { ...scope, rules, ...period, conditions, move: wanted, limit: 50 },
      {
        getNextPageParam: (page) => (page.kind === 'page' ? (page.next ?? undefined) : undefined),
        staleTime: Number.POSITIVE_INFINITY,
      },
    ),
  );
  const rows = useMemo(() => data?.pages.flatMap((page) => (page.kind === 'page' ? page.items : [])) ?? [], [data]);
  const columns = useColumns(nameOf);
  return (
    <section className="mt-7" aria-labelledby="moved-payments">
      <div className="flex gap-4 items-center justify-between min-h-8">
        <h2 id="moved-payments" className="text-lg font-semibold tracking-[-0.005em]">
          {wanted === null ? 'Each payment that moves' : `From ${nameOf(wanted.from)} to ${nameOf(wanted.to)}`}
        </h2>
        {wanted !== null && <Button onClick={onAll}>Show all moves</Button>}
      </div>
      {error !== null && (
        <p className="py-3 text-ink-faint text-sm">
          The payments could not be listed: {error.message} <Button onClick={() => void refetch()}>Try again</Button>
        </p>
      )}
      {rows.length > 0 && (
        <DataTable
          label="Payments that move"
          name="replayed-payments"
          columns={columns}
          rows={rows}
          rowKey={({ paymentId }) => paymentId}
        />
      )}
      <p className="py-3 text-ink-faint text-sm">
        {hasNextPage ? (
          <Button loading={isFetching} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        ) : isFetching ? (
          'Loading'
        ) : (
          `${rows.length.toLocaleString('en')} ${rows.length === 1 ? 'payment' : 'payments'}, the oldest last`
        )}
      </p>
    </section>
  );
}

function useColumns(nameOf: (accountId: string | null) => string): DataColumn<MovedPayment>[] {
  const scope = useRoutingScope();
  return useMemo(
    () => [
      {
        id: 'order',
        header: 'Order',
        fixed: true,
        className: 'card:area-main',
        cell: ({ paymentId, merchantOrderId }) => (
          <Link href={hrefIn(scope, `/payments/${paymentId}`)} aria-label={merchantOrderId}>
            <MiddleCut text={merchantOrderId} />
          </Link>
        ),
      },
      {
        id: 'amount',
        header: 'Amount',
        className: classes.amount,
        cell: ({ payment }) => formatMoney(payment.currency, payment.amount),
      },
      {
        id: 'method',
        header: 'Method',
        className: '@max-[759px]/room:hidden',
        cell: ({ payment }) => methodTitle(payment.method),
      },
      {
        id: 'status',
        header: 'Status',
        className: '@max-[759px]/room:hidden',
        cell: ({ status }) => <StatusBadge status={status} />,
      },
      {
        id: 'from',
        header: 'Active rules',
        className: 'card:[grid-area:auto]',
        cell: ({ comparison }) => nameOf(comparison.recommendedBefore),
      },
      {
        id: 'to',
        header: 'Draft',
        className: 'card:[grid-area:auto]',
        cell: ({ comparison }) => nameOf(comparison.recommendedNow),
      },
      {
        id: 'created',
        header: 'Created',
        className: 'card:[grid-area:auto]',
        cell: ({ createdAt }) => <Moment value={createdAt} />,
      },
    ],
    [nameOf, scope],
  );
}
