'use client';

import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { type AccountBalance, describeOpenItem, FIGURE_LABELS, FIGURES, type Month, OPEN_SORTS } from '#/copy/accounting.ts';
import { formatDecimal, formatMoney, moneyColumn, subtractDecimals } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { formatTimestamp } from '#/format/moments.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';

type Balance = Month['figures']['totals'][number];

/** Balances of each gateway account when the month began and ended, and what changed them; then what reached the bank. */
export function BalanceTable({ currency, figures }: { currency: string; figures: Month['figures'] }) {
  const accounts = figures.accounts.filter((account) => account.currency === currency);
  const total = figures.totals.find((each) => each.currency === currency);
  if (total === undefined) return null;
  const columns: readonly { readonly title: string; readonly balance: Balance }[] = [
    ...accounts.map((account: AccountBalance) => ({ title: account.accountLabel, balance: account })),
    ...(accounts.length > 1 ? [{ title: 'Total', balance: total }] : []),
  ];
  const shown = FIGURES.filter((kind) => total.figures[kind].count > 0);
  const amounts = (of: (balance: Balance) => string) =>
    columns.map(({ title, balance }) => (
      <td key={title} {...numberCell(title)}>
        {formatDecimal(currency, of(balance))}
      </td>
    ));
  const isAdjusted = columns.some(
    ({ balance }) => balance.previousClosing !== null && balance.previousClosing !== balance.opening,
  );
  return (
    <section aria-label={`Held by gateways, ${currency}`} className="mb-8">
      <h2 className="mb-1 text-base font-semibold">Held by gateways, {currency}</h2>
      <PlainTable
        label={`Balance, ${currency}`}
        columns={[
          { title: 'Figure' },
          ...columns.map(({ title }) => ({ title, number: true })),
          { title: 'Number', number: true },
        ]}
      >
        <tbody {...roles.group}>
          {isAdjusted && (
            <>
              <tr {...roles.row} className="text-ink-quiet">
                <th scope="row" {...roles.rowHeader}>
                  Closing of the month before
                </th>
                {amounts(({ previousClosing }) => previousClosing ?? '0')}
                <td {...roles.cell} />
              </tr>
              <tr {...roles.row} className="text-ink-quiet">
                <th scope="row" {...roles.rowHeader} title="What has changed of earlier months since they were closed.">
                  Adjustments of earlier months
                </th>
                {amounts(({ opening, previousClosing }) => subtractDecimals(opening, previousClosing ?? '0'))}
                <td {...roles.cell} />
              </tr>
            </>
          )}
          <tr {...roles.row} className="font-medium">
            <th scope="row" {...roles.rowHeader}>
              Opening balance
            </th>
            {amounts(({ opening }) => opening)}
            <td {...roles.cell} />
          </tr>
          {shown.map((kind) => (
            <tr key={kind} {...roles.row}>
              <th scope="row" {...roles.rowHeader} title={FIGURE_LABELS[kind].meaning}>
                {FIGURE_LABELS[kind].word}
              </th>
              {amounts((balance) => balance.figures[kind].amount)}
              <td {...numberCell('Number')}>{total.figures[kind].count.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
        <tfoot {...roles.group}>
          <tr {...roles.row}>
            <th scope="row" {...roles.rowHeader}>
              Closing balance
            </th>
            {amounts(({ closing }) => closing)}
            <td {...roles.cell} />
          </tr>
          <tr {...roles.row}>
            <th scope="row" {...roles.rowHeader} title={FIGURE_LABELS.bank.meaning} className="text-ink-quiet">
              {FIGURE_LABELS.bank.word}
            </th>
            {amounts(({ bank }) => bank.amount)}
            <td {...numberCell('Number')}>{total.bank.count.toLocaleString('en')}</td>
          </tr>
        </tfoot>
      </PlainTable>
    </section>
  );
}

type Adjustments = NonNullable<Month['close']>['adjustments'];
type Adjustment = Adjustments['items'][number];

const SUMS = [{ title: 'Account' }, { title: 'Type' }, { title: 'Amounts', number: true }];
const ITEMS = [
  { title: 'Day' },
  { title: 'Type' },
  { title: 'Of' },
  { title: 'Account' },
  { title: 'When closed', number: true },
  { title: 'Now', number: true },
];

/** Changes of the month since it was closed, added up and amount by amount. The frozen figures stay as they are. */
export function AdjustmentsSection({ adjustments: { sums, items }, closedAt }: { adjustments: Adjustments; closedAt: Date }) {
  const scope = useScope();
  const count = sums.reduce((total, sum) => total + sum.count, 0);
  const ofSums = moneyColumn('Difference', sums);
  const ofItems = moneyColumn('Difference', items);
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
            <PlainTable label="Adjustments by account" columns={[...SUMS, ofSums]}>
              <tbody {...roles.group}>
                {sums.map((sum) => (
                  <tr key={`${sum.accountId} ${sum.currency} ${sum.kind}`} {...roles.row}>
                    <td {...textCell('Account')}>{sum.accountLabel}</td>
                    <td {...textCell('Type')}>{FIGURE_LABELS[sum.kind].word}</td>
                    <td {...numberCell('Amounts')}>{sum.count.toLocaleString('en')}</td>
                    <td {...numberCell(ofSums.title)}>{ofSums.format(sum.currency, sum.difference)}</td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
          </div>
          <PlainTable label="Adjustments one by one" columns={[...ITEMS, ofItems]}>
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
                  <td {...numberCell(ofItems.title)}>{ofItems.format(item.currency, item.difference)}</td>
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

type Unexplained = Month['figures']['unexplained'];
type OpenItems = Unexplained['discrepancies'];
type Sort = (typeof OPEN_SORTS)[number];

const COLUMNS = [{ title: 'Day' }, { title: 'Item' }, { title: 'Account' }];
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
  const amount = moneyColumn('Amount', found.items);
  return (
    <div className="mt-4">
      <h3 className="text-sm font-semibold">
        {sort.title}: {found.count.toLocaleString('en')},{' '}
        {found.amounts.map(({ currency, amount }) => formatMoney(currency, amount)).join(' · ')}
      </h3>
      <p className="mb-1 text-sm text-ink-quiet">{sort.about}</p>
      <PlainTable label={sort.title} columns={[...COLUMNS, amount]}>
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
              <td {...numberCell(amount.title)}>{amount.format(item.currency, item.amount)}</td>
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
