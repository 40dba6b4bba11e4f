import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable } from '#/components/plain-table/plain-table.tsx';
import { type AccountBalance, FIGURE_LABELS, FIGURES, type Month } from '#/copy/accounting.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { subtractDecimals } from '#/format/decimals.ts';

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
