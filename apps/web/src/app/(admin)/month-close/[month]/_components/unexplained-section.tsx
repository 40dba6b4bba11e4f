'use client';

import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { describeOpenItem, type Month, OPEN_SORTS } from '#/copy/accounting.ts';
import { formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';

type Unexplained = Month['figures']['unexplained'];
type OpenItems = Unexplained['discrepancies'];
type Sort = (typeof OPEN_SORTS)[number];

const COLUMNS = [{ title: 'Day' }, { title: 'Item' }, { title: 'Account' }, { title: 'Amount', number: true }];
const SHOWN_FIRST = 10;

/** Items that the month leaves unexplained, with amounts and where each is worked on. */
export function UnexplainedSection({ month }: { month: Month }) {
  const { unexplained } = month.figures;
  const open = OPEN_SORTS.filter(({ sort }) => unexplained[sort].count > 0);
  return (
    <section aria-label="Unexplained" className="mb-8">
      <h2 className="mb-1 text-base font-semibold">Unexplained{month.close !== null && ' when it was closed'}</h2>
      {open.length === 0 && (
        <p className="text-sm text-ink-quiet">
          Nothing: every payment is settled, every payout at the bank, every line matched and every discrepancy closed.
        </p>
      )}
      {open.map((sort) => (
        <Group key={sort.sort} sort={sort} found={unexplained[sort.sort]} />
      ))}
    </section>
  );
}

function Group({ sort, found }: { sort: Sort; found: OpenItems }) {
  const scope = useScope();
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? found.items : found.items.slice(0, SHOWN_FIRST);
  const more = found.items.length - shown.length;
  return (
    <div className="mt-4">
      <h3 className="text-sm font-semibold">
        {sort.title}: {found.count.toLocaleString('en')},{' '}
        {found.amounts.map(({ currency, amount }) => formatMoney(currency, amount)).join(' · ')}
      </h3>
      <p className="mb-1 text-sm text-ink-quiet">{sort.about}</p>
      <PlainTable label={sort.title} columns={COLUMNS}>
        <tbody {...roles.group}>
          {shown.map((item) => (
            <tr key={item.subject} {...roles.row}>
              <td {...textCell('Day')}>{formatDay(item.day)}</td>
              <td {...textCell('Item')}>
                <Link href={addressOf(sort, item, scope)} prefetch={false}>
                  {describeOpenItem(sort.sort, item.about)}
                </Link>
              </td>
              <td {...textCell('Account')}>{item.accountLabel}</td>
              <td {...numberCell('Amount')}>{formatMoney(item.currency, item.amount)}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {more > 0 && (
        <p className="mt-2 print:hidden">
          <Button onClick={() => setIsWhole(true)}>Show {more} more</Button>
        </p>
      )}
      {found.count > found.items.length && (isWhole || more <= 0) && (
        <p className="mt-2 text-sm text-ink-quiet">
          The {found.items.length} largest of {found.count.toLocaleString('en')}.
        </p>
      )}
    </div>
  );
}

function addressOf({ sort }: Sort, item: OpenItems['items'][number], scope: Scope): string {
  if (sort === 'discrepancies') {
    return hrefIn(scope, '/settlements', { view: 'discrepancies', discrepancy: item.discrepancyId });
  }
  if (item.settlementId !== null) {
    return hrefIn(scope, `/settlements/${item.settlementId}`, sort === 'unmatchedLines' ? { unmatched: 'true' } : {});
  }
  return hrefIn(scope, `/payments/${item.paymentId ?? ''}`);
}
