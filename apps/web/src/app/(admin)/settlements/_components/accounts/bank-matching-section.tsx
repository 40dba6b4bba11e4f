'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { groupDecimal } from '#/format/amounts.ts';
import { useCan } from '#/trpc/use-can.ts';
import { useBankMatching } from '../use-settlements.ts';
import type { MerchantMatching } from './bank-matching-dialog.tsx';

const BankMatchingDialog = dynamic(() => import('./bank-matching-dialog.tsx').then((module) => module.BankMatchingDialog));

const COLUMNS = ['Merchant', 'Tolerance', 'Match window', 'Missing after', 'Matching'].map((title) => ({ title }));

/** How near the money at the bank has to be to payouts, of each merchant. */
export function BankMatchingSection() {
  const matching = useBankMatching();
  const can = useCan();
  const [edited, setEdited] = useState<MerchantMatching | null>(null);
  if (matching === undefined) return null;
  return (
    <section className="mt-8" aria-label="Bank matching">
      <h2 className="mb-2 text-base font-semibold">Bank matching</h2>
      <p className="max-w-[720px] mb-3.5 text-ink-quiet text-sm">
        How near the money on bank statements has to be to a payout whose reference the bank does not name.
      </p>
      <PlainTable label="Bank matching" columns={COLUMNS}>
        <tbody {...roles.group}>
          {matching.merchants.map((merchant) => (
            <tr key={merchant.merchantId} {...roles.row}>
              <td {...textCell('Merchant')}>
                {merchant.merchantName}
                <span className="block text-ink-quiet text-xs">{merchant.isDefault ? 'The defaults' : 'Set by staff'}</span>
              </td>
              <td {...textCell('Tolerance')}>{groupDecimal(merchant.tolerance)}</td>
              <td {...textCell('Match window')}>{merchant.days === 1 ? '1 day' : `${merchant.days} days`}</td>
              <td {...textCell('Missing after')}>
                {merchant.workingDays === 1 ? '1 working day' : `${merchant.workingDays} working days`}
              </td>
              <td {...textCell('Matching')}>
                {can('reconciliation:resolve', merchant.merchantId) && (
                  <Button
                    onClick={() => setEdited(merchant)}
                    aria-label={`Change… the bank matching of ${merchant.merchantName}`}
                  >
                    Change…
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {edited !== null && <BankMatchingDialog merchant={edited} defaults={matching.defaults} onClose={() => setEdited(null)} />}
    </section>
  );
}
