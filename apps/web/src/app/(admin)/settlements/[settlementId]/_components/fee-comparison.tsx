'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import type { FeeSums } from '#/copy/fees.ts';
import type { WholeSettlement } from '#/copy/settlements.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';

const COLUMNS = [
  { title: 'Currency' },
  { title: 'Payments', number: true },
  { title: 'By contract', number: true },
  { title: 'Charged', number: true },
  { title: 'Difference', number: true },
  { title: 'Overcharged' },
];

/** Fees of a settlement's payments by contract beside those that were charged, and the overcharges one by one behind a link. */
export function FeeComparison({ settlement }: { settlement: WholeSettlement }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { settlementId, merchantId, mode } = settlement;
  const { data: sums } = useQuery(trpc.fees.sums.queryOptions({ mode, merchantIds: [merchantId], settlementId }));
  if (sums === undefined || sums.length === 0) return null;
  return (
    <section aria-labelledby="fees" className="mb-8">
      <h2 id="fees" className="mb-2 text-base font-semibold">
        Fees
      </h2>
      {sums.every(({ compared }) => compared === 0) ? (
        <p className="text-ink-quiet text-sm">
          No fee of this settlement is compared: its account has no contract.{' '}
          <Link href={hrefIn(scope, '/fees', { view: 'contracts' })}>Enter a contract</Link>
        </p>
      ) : (
        <PlainTable label="Fees by contract and as charged" columns={COLUMNS}>
          <tbody {...roles.group}>
            {sums.map((each) => (
              <Row key={each.currency} sums={each} href={hrefIn(scope, '/fees', { settlement: settlementId })} />
            ))}
          </tbody>
        </PlainTable>
      )}
    </section>
  );
}

function Row({ sums, href }: { sums: FeeSums; href: string }) {
  const { currency, payments, compared, expected, charged, difference, overcharged, overcharge } = sums;
  return (
    <tr {...roles.row}>
      <td {...textCell('Currency')}>{currency}</td>
      <td {...numberCell('Payments')}>
        {compared.toLocaleString('en')}
        {compared < payments && <span className="text-ink-quiet"> of {payments.toLocaleString('en')}</span>}
      </td>
      <td {...numberCell('By contract')}>{formatDecimal(currency, expected)}</td>
      <td {...numberCell('Charged')}>{formatDecimal(currency, charged)}</td>
      <td {...numberCell('Difference')}>{formatDecimal(currency, difference)}</td>
      <td {...textCell('Overcharged')}>
        {overcharged === 0 ? (
          <span className="text-ink-faint">None</span>
        ) : (
          <Link href={href} className="text-bad-ink">
            {formatMoney(currency, overcharge)} on{' '}
            {overcharged === 1 ? '1 payment' : `${overcharged.toLocaleString('en')} payments`}
          </Link>
        )}
      </td>
    </tr>
  );
}
