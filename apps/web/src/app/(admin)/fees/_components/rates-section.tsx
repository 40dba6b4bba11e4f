'use client';

import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { percentOf } from '#/copy/fees.ts';
import { methodTitle } from '#/copy/gateways.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { FeesChange, FeesFilters } from '../filters.ts';
import { FeeFilters } from './fee-filters.tsx';
import { useFeeRates } from './use-fees.ts';

const COLUMNS = [
  { title: 'Account' },
  { title: 'Method' },
  { title: 'Amounts' },
  { title: 'Payments', number: true },
  { title: 'Amount', number: true },
  { title: 'Charged', number: true },
  { title: 'Effective rate', number: true },
  { title: 'By contract', number: true },
];

/** Charges of accounts as a share of their payments, by method and band of amounts. */
export function RatesSection({ filters, onChange }: { filters: FeesFilters; onChange: (change: FeesChange) => void }) {
  const { merchantId } = useScope();
  const rates = useFeeRates(filters);
  return (
    <>
      <p className="max-w-[720px] mb-3.5 text-ink-quiet text-sm">
        Fees that were charged, as a share of the amounts. A rule that ranks by the lowest fee may go by these rates of the last
        90 days instead of the contracts.
      </p>
      <FeeFilters filters={filters} onChange={onChange} />
      {rates?.length === 0 && <EmptyState title="No fee is known yet">Rates follow the first payments with a fee.</EmptyState>}
      {rates !== undefined && rates.length > 0 && (
        <PlainTable label="Effective rates" columns={COLUMNS}>
          <tbody {...roles.group}>
            {rates.map((rate) => (
              <tr key={`${rate.accountId} ${rate.method} ${rate.currency} ${rate.band.from}`} {...roles.row}>
                <td {...textCell('Account')}>
                  {rate.accountLabel}
                  {merchantId === null && <span className="text-ink-quiet"> · {rate.merchantName}</span>}
                </td>
                <td {...textCell('Method')}>{rate.method === null ? 'Not known' : methodTitle(rate.method)}</td>
                <td {...textCell('Amounts')}>
                  {rate.currency} {describeBand(rate.band)}
                </td>
                <td {...numberCell('Payments')}>{rate.payments.toLocaleString('en')}</td>
                <td {...numberCell('Amount')}>{formatDecimal(rate.currency, rate.amount)}</td>
                <td {...numberCell('Charged')}>{formatDecimal(rate.currency, rate.charged)}</td>
                <td {...numberCell('Effective rate')}>{percentOf(rate.rate)}</td>
                <td {...numberCell('By contract')}>{rate.contractRate === null ? '–' : percentOf(rate.contractRate)}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </>
  );
}

function describeBand({ from, to }: { from: number; to: number | null }): string {
  return to === null ? `${from.toLocaleString('en')} and more` : `${from.toLocaleString('en')} to ${to.toLocaleString('en')}`;
}
