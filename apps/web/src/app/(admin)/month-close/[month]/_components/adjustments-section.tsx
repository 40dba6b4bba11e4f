'use client';

import Link from 'next/link';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { FIGURE_LABELS, type Month } from '#/copy/accounting.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { formatTimestamp } from '#/format/moments.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';

type Adjustments = NonNullable<Month['close']>['adjustments'];
type Adjustment = Adjustments['items'][number];

const SUMS = [{ title: 'Account' }, { title: 'Type' }, { title: 'Amounts', number: true }, { title: 'Difference', number: true }];
const ITEMS = [
  { title: 'Day' },
  { title: 'Type' },
  { title: 'Of' },
  { title: 'Account' },
  { title: 'When closed', number: true },
  { title: 'Now', number: true },
  { title: 'Difference', number: true },
];

/** Changes of the month since it was closed, added up and amount by amount. The frozen figures stay as they are. */
export function AdjustmentsSection({ adjustments: { sums, items }, closedAt }: { adjustments: Adjustments; closedAt: Date }) {
  const scope = useScope();
  const count = sums.reduce((total, sum) => total + sum.count, 0);
  return (
    <section aria-label="Adjustments" className="mb-8">
      <h2 className="mb-1 text-base font-semibold">Adjustments</h2>
      {count === 0 && <p className="text-sm text-ink-quiet">Nothing of this month has changed since it was closed.</p>}
      {count > 0 && (
        <>
          <p className="mb-2 text-sm text-ink-quiet">
            Of this month by its date, and other than on {formatTimestamp(closedAt)}. The figures above are as they were then.
          </p>
          <div className="max-w-[720px] mb-4">
            <PlainTable label="Adjustments by account" columns={SUMS}>
              <tbody {...roles.group}>
                {sums.map((sum) => (
                  <tr key={`${sum.accountId} ${sum.currency} ${sum.kind}`} {...roles.row}>
                    <td {...textCell('Account')}>{sum.accountLabel}</td>
                    <td {...textCell('Type')}>{FIGURE_LABELS[sum.kind].word}</td>
                    <td {...numberCell('Amounts')}>{sum.count.toLocaleString('en')}</td>
                    <td {...numberCell('Difference')}>{formatMoney(sum.currency, sum.difference)}</td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
          </div>
          <PlainTable label="Adjustments one by one" columns={ITEMS}>
            <tbody {...roles.group}>
              {items.map((item) => (
                <tr key={`${item.kind} ${item.subject} ${item.accountId} ${item.currency}`} {...roles.row}>
                  <td {...textCell('Day')}>{formatDay(item.day)}</td>
                  <td {...textCell('Type')}>{FIGURE_LABELS[item.kind].word}</td>
                  <td {...textCell('Of')}>
                    <About item={item} scope={scope} />
                  </td>
                  <td {...textCell('Account')}>{item.accountLabel}</td>
                  <td {...numberCell('When closed')}>{item.frozen === null ? '–' : formatDecimal(item.currency, item.frozen)}</td>
                  <td {...numberCell('Now')}>{item.today === null ? '–' : formatDecimal(item.currency, item.today)}</td>
                  <td {...numberCell('Difference')}>{formatMoney(item.currency, item.difference)}</td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
          {items.length < count && (
            <p className="mt-2 text-sm text-ink-quiet">
              The {items.length} largest of {count.toLocaleString('en')}.
            </p>
          )}
        </>
      )}
    </section>
  );
}

function About({ item, scope }: { item: Adjustment; scope: Scope }) {
  if (item.paymentId !== null) {
    return <Link href={hrefIn(scope, `/payments/${item.paymentId}`)}>{item.merchantOrderId ?? item.paymentId}</Link>;
  }
  if (item.settlementId !== null) return <Link href={hrefIn(scope, `/settlements/${item.settlementId}`)}>Payout</Link>;
  return '–';
}
