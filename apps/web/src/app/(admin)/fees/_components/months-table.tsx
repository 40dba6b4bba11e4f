'use client';

import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { DATE_LABELS, type FeeMonth } from '#/copy/fees.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import type { FeesFilters } from '../filters.ts';

/** Fees by account and month, each with a file of its overcharges to send to the gateway. */
export function MonthsTable({ months, date }: { months: readonly FeeMonth[]; date: FeesFilters['date'] }) {
  const { mode, merchantId } = useScope();
  const mayExport = useCan()('report:export');
  const columns = [
    { title: DATE_LABELS[date].month },
    { title: 'Account' },
    { title: 'Payments', number: true },
    { title: 'By contract', number: true },
    { title: 'Charged', number: true },
    { title: 'Difference', number: true },
    { title: 'Overcharged', number: true },
    { title: 'For the gateway' },
  ];
  return (
    <PlainTable label="By account and month" columns={columns}>
      <tbody {...roles.group}>
        {months.map((row) => (
          <tr key={`${row.accountId} ${row.month} ${row.currency}`} {...roles.row}>
            <td {...textCell(DATE_LABELS[date].month)}>{row.month ?? 'Not settled'}</td>
            <td {...textCell('Account')}>
              {row.accountLabel}
              {merchantId === null && <span className="text-ink-quiet"> · {row.merchantName}</span>}
            </td>
            <td {...numberCell('Payments')}>{row.payments.toLocaleString('en')}</td>
            <td {...numberCell('By contract')}>{formatDecimal(row.currency, row.expected)}</td>
            <td {...numberCell('Charged')}>{formatDecimal(row.currency, row.charged)}</td>
            <td {...numberCell('Difference')}>{formatDecimal(row.currency, row.difference)}</td>
            <td {...numberCell('Overcharged')}>
              {row.overcharged === 0 ? (
                <span className="text-ink-faint">{formatMoney(row.currency, '0')}</span>
              ) : (
                <span className="text-bad-ink font-medium">{formatMoney(row.currency, row.overcharge)}</span>
              )}
            </td>
            <td {...textCell('For the gateway')}>
              {mayExport && row.overcharged > 0 && row.month !== null && (
                <span className="inline-flex gap-3">
                  {(['xlsx', 'csv'] as const).map((format) => (
                    <a
                      key={format}
                      href={fileAddress(format, { ...ofMonth(row, date, row.month ?? ''), mode, overchargedOnly: true })}
                      download
                      aria-label={`${format.toUpperCase()} of the overcharges of ${row.accountLabel}, ${row.month}`}
                    >
                      {format.toUpperCase()}
                    </a>
                  ))}
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  );
}

/** The file of one account and month, to send to the gateway. */
function fileAddress(format: 'xlsx' | 'csv', filter: object): string {
  return `/api/export/fees?${new URLSearchParams({ format, bom: String(format === 'csv'), filter: JSON.stringify(filter) })}`;
}

function ofMonth({ merchantId, accountId }: FeeMonth, date: FeesFilters['date'], month: string) {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  return { merchantIds: [merchantId], accountIds: [accountId], date, from: `${month}-01`, to: last };
}
