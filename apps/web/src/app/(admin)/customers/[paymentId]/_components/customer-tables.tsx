'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { Badge, StatusBadge } from '#/components/badge/badge.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { type CustomerRows, describeTry } from '#/copy/customers.ts';
import { DISPUTE_STATE_LABELS } from '#/copy/disputes.ts';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { REFUND_LABELS } from '#/copy/refunds.ts';
import { formatMoney, groupDecimal } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';

/** Failed payments and attempts that opened no checkout, with the reason of each. */
export function FailedTries({ tries }: { tries: CustomerRows['tries'] }) {
  if (tries.length === 0) return null;
  const columns = [
    { title: 'Order' },
    { title: 'Reason' },
    { title: 'Gateway' },
    { title: 'Amount', number: true },
    { title: 'Created', number: true },
  ];
  return (
    <Section title="Failed tries">
      <PlainTable label="Failed tries" columns={columns}>
        <tbody {...roles.group}>
          {tries.map((row) => (
            <tr key={`${row.kind} ${row.tryId}`} {...roles.row}>
              <Order row={row} />
              <td {...textCell('Reason')} className="whitespace-normal">
                {describeTry(row)}
              </td>
              <td {...textCell('Gateway')}>{gatewayTitle(row.gateway)}</td>
              <td {...numberCell('Amount')}>{formatMoney(row.currency, row.amount)}</td>
              <Created row={row} />
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </Section>
  );
}

/** The newest payments. */
export function Payments({ payments, count, isCut }: { payments: CustomerRows['payments']; count: number; isCut: boolean }) {
  const columns = [
    { title: 'Order' },
    { title: 'Status' },
    { title: 'Gateway' },
    { title: 'Method' },
    { title: 'Amount', number: true },
    { title: 'Created', number: true },
  ];
  const all = `${groupDecimal(BigInt(count))}${isCut ? '+' : ''}`;
  return (
    <Section title="Payments">
      <PlainTable label="Payments" columns={columns}>
        <tbody {...roles.group}>
          {payments.map((row) => (
            <tr key={row.paymentId} {...roles.row}>
              <Order row={row} />
              <td {...textCell('Status')}>
                <StatusBadge status={row.displayStatus} />
              </td>
              <td {...textCell('Gateway')}>{gatewayTitle(row.gateway)}</td>
              <td {...textCell('Method')}>
                {row.method === null ? '–' : methodTitle(row.method)}
                {row.cardLast4 !== null && <span className="text-ink-faint tabular-nums"> •••• {row.cardLast4}</span>}
              </td>
              <td {...numberCell('Amount')}>{formatMoney(row.currency, row.amount)}</td>
              <Created row={row} />
            </tr>
          ))}
        </tbody>
      </PlainTable>
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
  if (refunds.length === 0) return null;
  const columns = [
    { title: 'Order' },
    { title: 'Status' },
    { title: 'Reason' },
    { title: 'Amount', number: true },
    { title: 'Requested', number: true },
  ];
  return (
    <Section title="Refunds">
      <PlainTable label="Refunds" columns={columns}>
        <tbody {...roles.group}>
          {refunds.map((row) => {
            const { word, tone, meaning } = REFUND_LABELS[row.state];
            return (
              <tr key={row.refundId} {...roles.row}>
                <Order row={row} />
                <td {...textCell('Status')}>
                  <Badge tone={tone} title={meaning}>
                    {word}
                  </Badge>
                </td>
                <td {...textCell('Reason')} className="whitespace-normal">
                  {row.failureMessage ?? '–'}
                </td>
                <td {...numberCell('Amount')}>{formatMoney(row.currency, row.amount)}</td>
                <Created row={row} name="Requested" />
              </tr>
            );
          })}
        </tbody>
      </PlainTable>
    </Section>
  );
}

/** Disputes, newest first. */
export function Disputes({ disputes }: { disputes: CustomerRows['disputes'] }) {
  const scope = useScope();
  if (disputes.length === 0) return null;
  const columns = [
    { title: 'Dispute' },
    { title: 'Status' },
    { title: 'Order' },
    { title: 'Due' },
    { title: 'Opened', number: true },
  ];
  return (
    <Section title="Disputes">
      <PlainTable label="Disputes" columns={columns}>
        <tbody {...roles.group}>
          {disputes.map((row) => (
            <tr key={row.disputeId} {...roles.row}>
              <th scope="row" {...roles.rowHeader}>
                <Link href={hrefIn(scope, `/disputes/${row.disputeId}`)} prefetch={false}>
                  {formatMoney(row.currency, row.amount)}
                </Link>
              </th>
              <td {...textCell('Status')}>
                <Badge tone={DISPUTE_STATE_LABELS[row.state].tone}>{DISPUTE_STATE_LABELS[row.state].word}</Badge>
              </td>
              <td {...textCell('Order')}>
                <Link href={hrefIn(scope, `/payments/${row.paymentId}`)} prefetch={false} className="wrap-anywhere">
                  {row.merchantOrderId}
                </Link>
              </td>
              <td {...textCell('Due')}>{row.dueAt === null ? '–' : <Moment value={row.dueAt} />}</td>
              <Created row={row} name="Opened" />
            </tr>
          ))}
        </tbody>
      </PlainTable>
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

function Order({ row: { paymentId, merchantOrderId } }: { row: { paymentId: string; merchantOrderId: string } }) {
  const scope = useScope();
  return (
    <th scope="row" {...roles.rowHeader}>
      <Link href={hrefIn(scope, `/payments/${paymentId}`)} prefetch={false} className="wrap-anywhere">
        {merchantOrderId}
      </Link>
    </th>
  );
}

function Created({ row: { createdAt }, name = 'Created' }: { row: { createdAt: Date }; name?: string }) {
  return (
    <td {...numberCell(name)}>
      <Moment value={createdAt} />
    </td>
  );
}
