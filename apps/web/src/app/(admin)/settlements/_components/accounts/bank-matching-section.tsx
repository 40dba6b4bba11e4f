'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { groupDecimal } from '#/format/amounts.ts';
import { useCan } from '#/trpc/use-can.ts';
import { useBankMatching } from '../use-settlements.ts';
import type { MerchantMatching } from './bank-matching-dialog.tsx';

const BankMatchingDialog = dynamic(() => import('./bank-matching-dialog.tsx').then((module) => module.BankMatchingDialog));

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
      <DataTable
        label="Bank matching"
        name="bank-matching"
        columns={columnsOf((merchantId) => can('reconciliation:resolve', merchantId), setEdited)}
        rows={matching.merchants}
        rowKey={({ merchantId }) => merchantId}
      />
      {edited !== null && <BankMatchingDialog merchant={edited} defaults={matching.defaults} onClose={() => setEdited(null)} />}
    </section>
  );
}

function columnsOf(
  may: (merchantId: string) => boolean,
  onEdit: (merchant: MerchantMatching) => void,
): DataColumn<MerchantMatching>[] {
  return [
    {
      id: 'merchant',
      header: 'Merchant',
      fixed: true,
      className: 'card:area-main',
      sortable: 'ascending',
      sortValue: ({ merchantName }) => merchantName.toLowerCase(),
      cell: ({ merchantName, isDefault }) => (
        <>
          <span className="font-medium">{merchantName}</span>
          <span className="block text-ink-quiet text-xs">{isDefault ? 'The defaults' : 'Set by staff'}</span>
        </>
      ),
    },
    {
      id: 'tolerance',
      header: 'Tolerance',
      labelled: true,
      className: 'tabular-nums text-end card:text-start',
      cell: ({ tolerance }) => groupDecimal(tolerance),
    },
    { id: 'window', header: 'Match window', labelled: true, cell: ({ days }) => (days === 1 ? '1 day' : `${days} days`) },
    {
      id: 'missing',
      header: 'Missing after',
      labelled: true,
      cell: ({ workingDays }) => (workingDays === 1 ? '1 working day' : `${workingDays} working days`),
    },
    {
      id: 'change',
      header: 'Matching',
      labelled: true,
      cell: (merchant) =>
        may(merchant.merchantId) ? (
          <Button onClick={() => onEdit(merchant)} aria-label={`Change… the bank matching of ${merchant.merchantName}`}>
            Change…
          </Button>
        ) : null,
    },
  ];
}
