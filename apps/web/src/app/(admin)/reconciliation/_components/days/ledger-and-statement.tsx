import type { ReactNode } from 'react';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { type Discrepancy, statusLabel } from '#/copy/discrepancies.ts';
import { formatDecimal } from '#/format/amounts.ts';
import classes from './ledger-and-statement.module.css';

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

/** Ledger and statement side by side, one field a line; lines that disagree are marked. */
export function LedgerAndStatement({ discrepancy }: { discrepancy: Discrepancy }) {
  const { ledger, statement, kind, gatewayTitle } = discrepancy;
  const lines = LINES.filter(({ field }) => isPresent(ledger?.[field]) || isPresent(statement?.[field]));
  return (
    <table className={classes.sides}>
      <thead>
        <tr>
          <th scope="col">
            <span className="absolute w-px h-px overflow-hidden [clip-path:inset(50%)]">Field</span>
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
            <tr key={field} data-differs={differs}>
              <th scope="row">
                {name}
                {differs && <span className="block text-bad-ink text-xs font-medium">differs</span>}
              </th>
              {ledger === null ? (
                at === 0 && <Nothing lines={lines.length} who="our ledger" />
              ) : (
                <td>{show(ledger[field], currencyOf(ledger))}</td>
              )}
              {statement === null ? (
                at === 0 && <Nothing lines={lines.length} who={gatewayTitle} />
              ) : (
                <td>{show(statement[field], currencyOf(statement))}</td>
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
    <td rowSpan={lines} className={classes.nothing}>
      Not in {who}
    </td>
  );
}
