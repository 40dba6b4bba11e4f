'use client';

import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { countLines, LINE_KINDS, LINE_LABELS, type LineKind, type WholeSettlement } from '#/copy/settlements.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { addDecimals } from '#/format/decimals.ts';

const UNTIL_PAID = 'Its lines are read once it is paid out, as they can change until then.';
const NO_LINES: Record<WholeSettlement['status'], string> = {
  PAID: 'The gateway lists no line of this settlement.',
  PENDING: UNTIL_PAID,
  FAILED: UNTIL_PAID,
  WITHDRAWN: 'It was withdrawn, and its lines with it.',
};

/** The lines added up by kind down to the net amount. Each kind shows its lines. */
export function TotalsTable({
  settlement,
  onChoose,
}: {
  settlement: WholeSettlement;
  onChoose: (kind: LineKind | null) => void;
}) {
  const { currency, totals, status } = settlement;
  const known = LINE_KINDS.flatMap((kind) => totals.filter((total) => total.kind === kind));
  const columns = [
    { title: 'Type' },
    { title: 'Lines', number: true },
    { title: 'Not matched', number: true },
    { title: `Amount, ${currency}`, number: true },
  ];
  if (known.length === 0) {
    return <p className="text-ink-quiet text-sm">{NO_LINES[status]}</p>;
  }
  return (
    <PlainTable label="Totals" columns={columns}>
      <tbody {...roles.group}>
        {known.map(({ kind, count, amount, unmatchedCount, unmatchedAmount }) => (
          <tr key={kind} {...roles.row}>
            <td {...textCell('Type')}>
              <button
                type="button"
                className="min-h-6 underline underline-offset-3 decoration-line-strong"
                title={LINE_LABELS[kind].meaning}
                onClick={() => onChoose(kind)}
              >
                {LINE_LABELS[kind].many}
              </button>
            </td>
            <td {...numberCell('Lines')}>{count.toLocaleString('en')}</td>
            <td {...numberCell('Not matched')}>
              {unmatchedCount === 0 ? (
                <span className="text-ink-faint">0</span>
              ) : (
                <span className="text-bad-ink" title={formatDecimal(currency, unmatchedAmount)}>
                  {countLines(unmatchedCount)}
                </span>
              )}
            </td>
            <td {...numberCell('Amount')}>{formatDecimal(currency, amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot {...roles.group}>
        <tr {...roles.row} className="font-semibold">
          <td {...textCell('Type')}>Net</td>
          <td {...numberCell('Lines')}>{known.reduce((sum, { count }) => sum + count, 0).toLocaleString('en')}</td>
          <td {...numberCell('Not matched')}>
            {known.reduce((sum, total) => sum + total.unmatchedCount, 0).toLocaleString('en')}
          </td>
          <td {...numberCell('Amount')}>{formatDecimal(currency, addDecimals(known.map(({ amount }) => amount)))}</td>
        </tr>
      </tfoot>
    </PlainTable>
  );
}
