'use client';

import { type ReactNode, useMemo } from 'react';
import { StatusBadge } from '#/components/badge/badge.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import type { Pages } from '#/components/list/use-noun-list.ts';
import { methodTitle } from '#/copy/gateways.ts';
import { hrefIn } from '#/scope/scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { type LiveRouting, useRoutingScope } from '../queries/use-routing.ts';
import { accountNamer } from '../rules/copy.ts';

/** A payment that would go to another account first. */
export type MovedPayment = RouterOutputs['routing']['drafts']['shadow']['differences']['items'][number];

/** The payments that would go to another account first, newest first, each linked to its page. */
export function MovedPayments({
  title,
  name,
  list,
  accounts,
  action,
}: {
  title: string;
  /** The viewer's choice of columns is kept under this name. */
  name: string;
  list: Pages<MovedPayment>;
  accounts: LiveRouting['accounts'];
  action?: ReactNode;
}) {
  const scope = useRoutingScope();
  const columns = useMemo((): DataColumn<MovedPayment>[] => {
    const nameOf = accountNamer(accounts);
    return [
      {
        id: 'order',
        header: 'Order',
        fixed: true,
        card: 'main',
        link: ({ paymentId, merchantOrderId: text }) => ({ href: hrefIn(scope, `/payments/${paymentId}`), text }),
      },
      { id: 'amount', header: 'Amount', card: 'aside', money: (row) => row },
      { id: 'method', header: 'Method', priority: 3, cell: ({ method }) => methodTitle(method) },
      { id: 'status', header: 'Status', priority: 3, cell: ({ status }) => <StatusBadge status={status} /> },
      { id: 'from', header: 'Active rules', card: 'auto', cell: ({ from }) => nameOf(from) },
      { id: 'to', header: 'Draft', card: 'auto', cell: ({ to }) => nameOf(to) },
      { id: 'created', header: 'Created', card: 'auto', moment: ({ createdAt }) => createdAt },
    ];
  }, [accounts, scope]);
  return (
    <section className="mt-7" aria-labelledby="moved-payments">
      <div className="flex gap-4 items-center justify-between min-h-8">
        <h2 id="moved-payments" className="text-lg font-semibold tracking-[-0.005em]">
          {title}
        </h2>
        {action}
      </div>
      <NounTable
        label={title}
        name={name}
        list={list}
        columns={columns}
        rowKey={({ paymentId }) => paymentId}
        noun={['payment', 'payments']}
        empty={<p className="py-3 text-ink-faint text-sm">No payment of these was found.</p>}
      />
    </section>
  );
}
