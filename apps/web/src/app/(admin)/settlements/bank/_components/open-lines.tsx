'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import type { OpenBankLine } from '#/copy/settlements.ts';
import { formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { useCan } from '#/trpc/use-can.ts';

const PayoutDialog = dynamic(() => import('./payout-dialog.tsx').then((module) => module.PayoutDialog));

const COLUMNS = [
  { title: 'Booked' },
  { title: 'Bank account' },
  { title: 'Text' },
  { title: 'Amount', number: true },
  { title: 'Match' },
];

/** Lines of the bank that name a gateway and are of no payout, each to be matched by hand. */
export function OpenLines({ lines }: { lines: readonly OpenBankLine[] }) {
  const can = useCan();
  const [matched, setMatched] = useState<OpenBankLine | null>(null);
  return (
    <div className="mt-8">
      <h2 className="mb-2 text-base font-semibold">Without a payout</h2>
      <p className="mb-2 text-sm text-ink-quiet">The bank names a gateway, and no payout matches it.</p>
      <PlainTable label="Without a payout" columns={COLUMNS}>
        <tbody {...roles.group}>
          {lines.map((line) => (
            <tr key={line.bankLineId} {...roles.row}>
              <td {...textCell('Booked')}>{formatDay(line.bookedOn)}</td>
              <td {...textCell('Bank account')}>{line.bankAccount}</td>
              <td {...textCell('Text')}>{line.text}</td>
              <td {...numberCell('Amount')}>{formatMoney(line.currency, line.amount)}</td>
              <td {...textCell('Match')}>
                {can('reconciliation:resolve', line.merchantId) && <Button onClick={() => setMatched(line)}>Match…</Button>}
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {matched !== null && <PayoutDialog line={matched} onClose={() => setMatched(null)} />}
    </div>
  );
}
