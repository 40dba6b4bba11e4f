'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { type Discrepancy, KIND_LABELS, statusLabel } from '#/copy/discrepancies.ts';
import { DiscrepancySidePanel, WholeDiscrepancy } from '#/discrepancies/discrepancy-panel.tsx';
import { formatDecimal } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { useDiscrepancyActions } from './use-discrepancy-actions.ts';

/** One discrepancy beside the list. */
export function DiscrepancyPanel({
  discrepancyId,
  rows,
  onOpen,
  onClose,
}: {
  discrepancyId: string;
  rows: readonly { readonly discrepancyId: string }[];
  onOpen: (discrepancyId: string) => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.reconciliation.discrepancy.queryOptions({ discrepancyId }));
  return (
    <DiscrepancySidePanel discrepancyId={discrepancyId} rows={rows} error={error} onOpen={onOpen} onClose={onClose}>
      {data === undefined ? null : <Whole key={data.discrepancyId} discrepancy={data} />}
    </DiscrepancySidePanel>
  );
}

function Whole({ discrepancy }: { discrepancy: Discrepancy }) {
  const { merchantId, merchantName, accountLabel, day, kind, about, mode, paymentId, resolvedBy, resolvedByName } = discrepancy;
  const may = useCan()('reconciliation:resolve', merchantId);
  const { word, meaning } = KIND_LABELS[kind];
  return (
    <WholeDiscrepancy
      discrepancy={discrepancy}
      place={`${merchantName} · ${accountLabel} · ${formatDay(day)}`}
      title={about === 'refund' ? `Refund: ${word.toLowerCase()}` : word}
      meaning={meaning}
      closedBy={resolvedByName ?? (resolvedBy?.startsWith('system:') ? 'a later comparison' : 'staff')}
      may={may}
      useActions={useDiscrepancyActions}
    >
      <LedgerAndStatement discrepancy={discrepancy} />
      {paymentId !== null && (
        <Link href={hrefIn({ mode, merchantId }, `/payments/${paymentId}`)} prefetch={false}>
          Open the payment
        </Link>
      )}
    </WholeDiscrepancy>
  );
}

type Side = NonNullable<Discrepancy['ledger']>;
type Value = Side[string] | undefined;

interface Line {
  readonly name: string;
  readonly field: string;
  /** True if ledger and statement should agree on this field. */
  readonly compared: boolean;
  readonly show: (value: Value, currency: string | null) => ReactNode;
}

const plain = (value: Value) => (value === null || value === undefined ? '–' : String(value));
const amount = (value: Value, currency: string | null) => (typeof value === 'string' ? formatDecimal(currency, value) : '–');
const moment = (value: Value) => (typeof value === 'string' ? <Moment value={new Date(value)} /> : '–');
const id = (value: Value) => (typeof value === 'string' ? <Copyable text={value} label="id" /> : '–');
const word = (value: Value) => (typeof value === 'string' ? statusLabel(value) : '–');

const LINES: readonly Line[] = [
  { name: 'Status', field: 'status', compared: false, show: word },
  { name: 'Amount', field: 'amount', compared: true, show: amount },
  { name: 'Currency', field: 'currency', compared: true, show: plain },
  { name: 'Refunded', field: 'refunded', compared: false, show: amount },
  { name: 'Fee', field: 'fee', compared: false, show: amount },
  { name: 'Method', field: 'method', compared: false, show: word },
  { name: 'Order', field: 'merchantOrderId', compared: false, show: plain },
  { name: 'Reference', field: 'reference', compared: false, show: id },
  { name: 'Transaction', field: 'transactionId', compared: false, show: id },
  { name: 'Refund at the gateway', field: 'gatewayRefundId', compared: false, show: id },
  { name: 'Note', field: 'note', compared: false, show: plain },
  { name: 'Created', field: 'createdAt', compared: false, show: moment },
  { name: 'Paid', field: 'paidAt', compared: false, show: moment },
];

const DIFFERS = 'text-bad-ink font-semibold';

/** Ledger and statement side by side, one field a line; lines that disagree are marked. */
function LedgerAndStatement({ discrepancy }: { discrepancy: Discrepancy }) {
  const { ledger, statement, kind, gatewayTitle } = discrepancy;
  const lines = LINES.filter(({ field }) => isPresent(ledger?.[field]) || isPresent(statement?.[field]));
  return (
    <table className="lined-table table-fixed tabular-nums [&_:is(th,td)]:pl-1.5 [&_:is(th,td)]:pr-1.5 [&_:is(th,td)]:wrap-anywhere [&_th:first-child]:w-[27%] [&_th:first-child]:pl-0">
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Field</span>
          </th>
          <th scope="col">Our ledger</th>
          <th scope="col">{gatewayTitle}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, field, compared, show }, at) => {
          const both = ledger !== null && statement !== null;
          const differs = both && (compared ? ledger[field] !== statement[field] : field === 'status' && kind === 'STATUS');
          return (
            <tr key={field}>
              <th scope="row" className="text-ink-faint">
                {name}
                {differs && <span className="block text-bad-ink text-xs font-medium">differs</span>}
              </th>
              {ledger === null ? (
                at === 0 && <Nothing lines={lines.length} who="our ledger" />
              ) : (
                <td className={differs ? DIFFERS : undefined}>{show(ledger[field], currencyOf(ledger))}</td>
              )}
              {statement === null ? (
                at === 0 && <Nothing lines={lines.length} who={gatewayTitle} />
              ) : (
                <td className={differs ? DIFFERS : undefined}>{show(statement[field], currencyOf(statement))}</td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function currencyOf({ currency }: NonNullable<Discrepancy['ledger']>): string | null {
  return typeof currency === 'string' ? currency : null;
}

function isPresent(value: Value): boolean {
  return value !== null && value !== undefined;
}

function Nothing({ lines, who }: { lines: number; who: string }) {
  return (
    <td rowSpan={lines} className="bg-ground-quiet text-ink-faint text-center align-middle">
      Not in {who}
    </td>
  );
}
