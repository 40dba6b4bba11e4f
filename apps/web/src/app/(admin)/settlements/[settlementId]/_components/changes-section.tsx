'use client';

import { useQuery } from '@tanstack/react-query';
import { roles } from '#/components/list/table-roles.ts';
import { PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { countLines, PAYOUT_CHANGES, type PayoutChange } from '#/copy/settlements.ts';
import { formatMoney } from '#/format/amounts.ts';
import { useTRPC } from '#/trpc/client.tsx';

/** Changes that people made to a settlement, newest first; nothing where there are none. */
export function ChangesSection({ settlementId }: { settlementId: string }) {
  const { data: changes } = useQuery(useTRPC().settlements.changes.queryOptions({ settlementId }));
  if (changes === undefined || changes.length === 0) return null;
  return (
    <section aria-labelledby="changes" className="mt-8">
      <h2 id="changes" className="mb-2 text-base font-semibold">
        Corrections
      </h2>
      <PlainTable label="Corrections" columns={COLUMNS}>
        <tbody {...roles.group}>
          {changes.map((change) => (
            <tr key={change.changeId} {...roles.row}>
              <td {...textCell('When')}>
                <Moment value={change.changedAt} />
              </td>
              <td {...textCell('Correction')}>
                {PAYOUT_CHANGES[change.action]}
                {change.fileName !== null && <span className="block text-ink-quiet text-xs">{change.fileName}</span>}
              </td>
              <td {...textCell('Before')}>{describeFigures(change.before)}</td>
              <td {...textCell('After')}>{change.after === null ? 'Nothing' : describeFigures(change.after)}</td>
              <td {...textCell('Reason')}>{change.reason}</td>
              <td {...textCell('By')}>{change.changedByName ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}

function describeFigures({ currency, net, settledOn, lines }: PayoutChange['before']): string {
  return `${formatMoney(currency, net)}, ${settledOn ?? 'no day'}, ${countLines(lines)}`;
}

const COLUMNS = [
  { title: 'When' },
  { title: 'Correction' },
  { title: 'Before' },
  { title: 'After' },
  { title: 'Reason' },
  { title: 'By' },
];
