'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { StatusBadge } from '#/components/badge/badge.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { DataTable } from '#/components/data-table/data-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { failureOwner } from '#/copy/attempts.ts';
import { DISPUTE_STATE_LABELS } from '#/copy/disputes.ts';
import { FAILURE_LABELS } from '#/copy/failure-reasons.ts';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { REFUND_LABELS } from '#/copy/refunds.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { describeDayAndClock } from '#/format/moments.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

interface OfPayment {
  readonly paymentId: string;
  readonly merchantOrderId: string;
}

interface Amounted {
  readonly currency: string;
  readonly amount: string | bigint;
}

/** Failed payments and attempts that opened no checkout, with the reason of each. */
export function FailedTries({ tries }: { tries: CustomerRows['tries'] }) {
  const scope = useScope();
  if (tries.length === 0) return null;
  type Try = CustomerRows['tries'][number];
  const columns: DataColumn<Try>[] = [
    orderColumn(scope),
    { id: 'reason', header: 'Reason', labelled: true, wraps: true, card: 'line', cell: describeTry },
    { id: 'gateway', header: 'Gateway', labelled: true, cell: ({ gateway }) => gatewayTitle(gateway) },
    amountColumn(),
    createdColumn('Created'),
  ];
  return (
    <Section title="Failed tries">
      <DataTable
        label="Failed tries"
        name="customer-tries"
        columns={columns}
        rows={tries}
        rowKey={({ kind, tryId }) => `${kind} ${tryId}`}
      />
    </Section>
  );
}

/** The newest payments. */
export function Payments({ payments, count, isCut }: { payments: CustomerRows['payments']; count: number; isCut: boolean }) {
  const scope = useScope();
  type Payment = CustomerRows['payments'][number];
  const columns: DataColumn<Payment>[] = [
    orderColumn(scope),
    { id: 'status', header: 'Status', labelled: true, cell: ({ displayStatus }) => <StatusBadge status={displayStatus} /> },
    { id: 'gateway', header: 'Gateway', labelled: true, cell: ({ gateway }) => gatewayTitle(gateway) },
    {
      id: 'method',
      header: 'Method',
      labelled: true,
      cell: ({ method, cardLast4 }) => (
        <>
          {method === null ? '–' : methodTitle(method)}
          {cardLast4 !== null && <span className="text-ink-faint tabular-nums"> •••• {cardLast4}</span>}
        </>
      ),
    },
    amountColumn(),
    createdColumn('Created'),
  ];
  const all = `${groupDecimal(BigInt(count))}${isCut ? '+' : ''}`;
  return (
    <Section title="Payments">
      <DataTable
        label="Payments"
        name="customer-payments"
        columns={columns}
        rows={payments}
        rowKey={({ paymentId }) => paymentId}
      />
      {payments.length < count && (
        <p className="mt-2 text-ink-quiet text-sm">
          The newest {payments.length} of {all} payments are listed{isCut && '; totals are of the newest 5,000'}.
        </p>
      )}
    </Section>
  );
}

/** Refunds, newest first. */
export function Refunds({ refunds }: { refunds: CustomerRows['refunds'] }) {
  const scope = useScope();
  if (refunds.length === 0) return null;
  type Refund = CustomerRows['refunds'][number];
  const columns: DataColumn<Refund>[] = [
    orderColumn(scope),
    { id: 'status', header: 'Status', labelled: true, badge: ({ state }) => REFUND_LABELS[state] },
    { id: 'reason', header: 'Reason', labelled: true, wraps: true, cell: ({ failureMessage }) => failureMessage },
    amountColumn(),
    createdColumn('Requested'),
  ];
  return (
    <Section title="Refunds">
      <DataTable label="Refunds" name="customer-refunds" columns={columns} rows={refunds} rowKey={({ refundId }) => refundId} />
    </Section>
  );
}

/** Disputes, newest first. */
export function Disputes({ disputes }: { disputes: CustomerRows['disputes'] }) {
  const scope = useScope();
  if (disputes.length === 0) return null;
  type Dispute = CustomerRows['disputes'][number];
  const columns: DataColumn<Dispute>[] = [
    {
      id: 'dispute',
      header: 'Dispute',
      fixed: true,
      card: 'main',
      money: ({ disputeId, currency, amount }) => ({ currency, amount, href: hrefIn(scope, `/disputes/${disputeId}`) }),
    },
    { id: 'status', header: 'Status', labelled: true, badge: ({ state }) => DISPUTE_STATE_LABELS[state] },
    {
      id: 'order',
      header: 'Order',
      labelled: true,
      cell: ({ paymentId, merchantOrderId }) => (
        <Link href={hrefIn(scope, `/payments/${paymentId}`)} prefetch={false} className="relative z-1 wrap-anywhere">
          {merchantOrderId}
        </Link>
      ),
    },
    {
      id: 'due',
      header: 'Due',
      labelled: true,
      cell: ({ dueAt }) => (dueAt === null ? '–' : <Moment value={dueAt} describe={describeDayAndClock} />),
    },
    createdColumn('Opened'),
  ];
  return (
    <Section title="Disputes">
      <DataTable
        label="Disputes"
        name="customer-disputes"
        columns={columns}
        rows={disputes}
        rowKey={({ disputeId }) => disputeId}
      />
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-8">
      <h2 className="mb-2 text-lg font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function orderColumn<Row extends OfPayment>(scope: Scope): DataColumn<Row> {
  return {
    id: 'order',
    header: 'Order',
    fixed: true,
    card: 'main',
    link: ({ paymentId, merchantOrderId: text }) => ({ href: hrefIn(scope, `/payments/${paymentId}`), text }),
  };
}

function amountColumn<Row extends Amounted>(): DataColumn<Row> {
  return {
    id: 'amount',
    header: 'Amount',
    labelled: true,
    className: 'card:text-start',
    money: ({ currency, amount }) => ({ currency, amount }),
  };
}

function createdColumn<Row extends { readonly createdAt: Date }>(header: string): DataColumn<Row> {
  return {
    id: 'created',
    header,
    labelled: true,
    look: 'number',
    className: 'card:text-start',
    sortable: 'descending',
    sortValue: ({ createdAt }) => createdAt,
    moment: ({ createdAt }) => createdAt,
  };
}

type Customer = RouterOutputs['customers']['byPayment'];

/** A customer with their payments, as the server describes them. */
export type FoundCustomer = Extract<Customer, { kind: 'found' }>;

/** A customer whose personal data was removed. */
export type ErasedCustomer = Extract<Customer, { kind: 'erased' }>;

/** The lists of a customer. */
type CustomerRows = Pick<FoundCustomer, 'payments' | 'tries' | 'refunds' | 'disputes'>;

/** Why a try failed, in one line: the gateway's own message where there is one. */
function describeTry({ kind, failureReason, failureClass, message }: FoundCustomer['tries'][number]): string {
  if (kind === 'attempt') {
    const owner = failureClass === null ? 'No checkout opened' : failureOwner(failureClass);
    return message === null || message === '' ? `${owner}.` : `${owner}: ${message}`;
  }
  if (failureReason === null) return message ?? 'The reason is not recorded.';
  const { sentence } = FAILURE_LABELS[failureReason];
  return failureReason === 'declined' || failureReason === 'checkout_closed' ? (message ?? sentence) : sentence;
}
