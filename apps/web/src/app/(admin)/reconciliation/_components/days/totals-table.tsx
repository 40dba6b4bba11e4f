'use client';

import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable } from '#/components/plain-table/plain-table.tsx';
import { describeRun, type Run } from '#/copy/discrepancies.ts';
import { formatDecimal, subtractDecimals } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { addUp, signed } from './totals.ts';

const SUMS = ['Ledger', 'Statement', 'Difference', 'Fees', 'Refunded, ledger', 'Refunded, statement'] as const;

/** The totals of both sides by day, account and currency, with their sum. */
export function TotalsTable({ runs }: { runs: readonly Run[] }) {
  const merchants = new Set(runs.map(({ merchantId }) => merchantId)).size > 1;
  const lines = runs.flatMap((run) => run.totals.map((sums) => ({ run, sums })));
  if (lines.length === 0) return <p className="py-4 text-ink-quiet text-sm">No days compared yet in this period.</p>;
  const currencies = [...new Set(lines.map(({ sums }) => sums.currency))].sort();
  return (
    <PlainTable
      label="Totals by day"
      cards={3}
      columns={[
        ...['Day', 'Account', 'Status'].map((title) => ({ title })),
        ...SUMS.map((name) => ({ title: currencies.length === 1 ? `${name}, ${currencies[0]}` : name, number: true })),
      ]}
    >
      <tbody {...roles.group}>
        {lines.map(({ run, sums }) => (
          <tr key={`${run.runId} ${sums.currency}`} {...roles.row}>
            <td {...roles.cell}>{formatDay(run.day)}</td>
            <td {...roles.cell}>{merchants ? `${run.accountLabel} · ${run.merchantName}` : run.accountLabel}</td>
            <td {...roles.cell}>{describeRun(run)}</td>
            <Amounts sums={sums} unit={currencies.length > 1} />
          </tr>
        ))}
      </tbody>
      <tfoot {...roles.group}>
        {currencies.map((currency) => (
          <tr key={currency} {...roles.row}>
            <th scope="row" colSpan={3}>
              Total
            </th>
            <Amounts
              sums={addUp(lines.map(({ sums }) => sums).filter((sums) => sums.currency === currency))}
              unit={currencies.length > 1}
            />
          </tr>
        ))}
      </tfoot>
    </PlainTable>
  );
}

function Amounts({ sums, unit }: { sums: Run['totals'][number]; unit: boolean }) {
  const difference = subtractDecimals(sums.statement.amount, sums.ledger.amount);
  return (
    <>
      <td {...numberCell('Ledger')}>
        {unit && `${sums.currency} `}
        {formatDecimal(sums.currency, sums.ledger.amount)}
      </td>
      <td {...numberCell('Statement')}>{formatDecimal(sums.currency, sums.statement.amount)}</td>
      <td {...numberCell('Difference')} data-tone={difference === '0' ? undefined : 'bad'}>
        {signed(sums.currency, sums.statement.amount, sums.ledger.amount)}
      </td>
      <td {...numberCell('Fees')}>{formatDecimal(sums.currency, sums.fees)}</td>
      <td {...numberCell('Refunded, ledger')}>{formatDecimal(sums.currency, sums.ledgerRefunded.amount)}</td>
      <td {...numberCell('Refunded, statement')}>{formatDecimal(sums.currency, sums.statementRefunded.amount)}</td>
    </>
  );
}
