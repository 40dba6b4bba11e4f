'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useSettlementActions } from '#/app/(admin)/settlements/_components/use-settlements.ts';
import { Button } from '#/components/button/button.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { BANK_MATCHED_BY, type MatchedBankLine, type WholeSettlement } from '#/copy/settlements.ts';
import { formatMoney, moneyColumn } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';

const ConfirmDialog = dynamic(() => import('#/forms/form-dialog.tsx').then((module) => module.ConfirmDialog));
const BankLineDialog = dynamic(() => import('./link-dialogs.tsx').then((module) => module.BankLineDialog));

const BEFORE = [{ title: 'Booked' }, { title: 'Bank account' }, { title: 'Text' }];
const AFTER = [{ title: 'Matched' }, { title: 'Match' }];

/** Lines of the bank that brought a payout, each matched by hand or undone. */
export function BankSection({ settlement }: { settlement: WholeSettlement }) {
  const { settlementId, merchantId, status, net } = settlement;
  const trpc = useTRPC();
  const mayMatch = useCan()('reconciliation:resolve', merchantId);
  const [isMatching, setMatching] = useState(false);
  const [undone, setUndone] = useState<MatchedBankLine | null>(null);
  const { unlinkBankLine } = useSettlementActions();
  const { data: lines } = useQuery(trpc.settlements.bank.linesOf.queryOptions({ settlementId }));
  if (lines === undefined || status !== 'PAID') return null;
  const amount = moneyColumn('Amount', lines);
  return (
    <section aria-labelledby="bank" className="mb-8">
      <h2 id="bank" className="mb-2 text-base font-semibold">
        At the bank
      </h2>
      {lines.length === 0 ? (
        <p className="text-ink-quiet text-sm">No line of a bank statement is matched with this payout.</p>
      ) : (
        <PlainTable label="Bank lines" columns={[...BEFORE, amount, ...AFTER]}>
          <tbody {...roles.group}>
            {lines.map((line) => (
              <tr key={line.bankLineId} {...roles.row}>
                <td {...textCell('Booked')}>{formatDay(line.bookedOn)}</td>
                <td {...textCell('Bank account')}>{line.bankAccount}</td>
                <td {...textCell('Text')}>{line.text}</td>
                <td {...numberCell(amount.title)}>{amount.format(line.currency, line.amount)}</td>
                <td {...textCell('Matched')}>{line.byName === null ? BANK_MATCHED_BY[line.by] : `By ${line.byName}`}</td>
                <td {...textCell('Match')}>{mayMatch && <Button onClick={() => setUndone(line)}>Undo…</Button>}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
      {mayMatch && net !== '0' && (
        <p className="mt-3">
          <Button onClick={() => setMatching(true)}>Match a bank line…</Button>
        </p>
      )}
      {isMatching && <BankLineDialog settlement={settlement} onClose={() => setMatching(false)} />}
      {undone !== null && (
        <ConfirmDialog
          title="Undo this match"
          action="Undo match"
          onConfirm={async () => {
            await unlinkBankLine.mutateAsync({ merchantId, settlementId, bankLineId: undone.bankLineId });
            return null;
          }}
          onClose={() => setUndone(null)}
        >
          <p className="mb-4 text-ink-quiet text-sm">
            {formatMoney(undone.currency, undone.amount)} is never matched with this payout again, unless a person does it.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
