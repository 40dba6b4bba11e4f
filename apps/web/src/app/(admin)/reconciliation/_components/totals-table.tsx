'use client';

import { roles } from '../../../../components/table-roles.ts';
import { groupDecimal } from '../../../../money/amounts.ts';
import { describeRun, type Run } from '../../../../words/differences.ts';
import { sayDay } from './day-grid.tsx';
import { addUp, signed, subtract } from './sums.ts';
import classes from './totals-table.module.css';

/** What both sides came to, a line for each day, account and currency, and under them what they add up to. */
export function TotalsTable({ runs }: { runs: readonly Run[] }) {
  const merchants = new Set(runs.map(({ merchantId }) => merchantId)).size > 1;
  const lines = runs.flatMap((run) => run.totals.map((sums) => ({ run, sums })));
  if (lines.length === 0) return <p className={classes.none}>Nothing has been compared on these days yet.</p>;
  const currencies = [...new Set(lines.map(({ sums }) => sums.currency))].sort();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
    <section className={classes.scroll} aria-label="Totals by day" tabIndex={0}>
      <table className={classes.table} {...roles.table}>
        <thead {...roles.group}>
          <tr {...roles.row}>
            <th scope="col" {...roles.columnHeader}>
              Day
            </th>
            <th scope="col" {...roles.columnHeader}>
              Account
            </th>
            <th scope="col" {...roles.columnHeader}>
              Stands
            </th>
            {['Ours', 'Theirs', 'Difference', 'Fees', 'Refunded, ours', 'Refunded, theirs'].map((name) => (
              <th key={name} scope="col" {...roles.columnHeader} className={classes.number}>
                {currencies.length === 1 ? `${name}, ${currencies[0]}`.replace(/^(Refunded, \w+), /, '$1, ') : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.group}>
          {lines.map(({ run, sums }) => (
            <tr key={`${run.runId} ${sums.currency}`} {...roles.row}>
              <td {...roles.cell}>{sayDay(run.day)}</td>
              <td {...roles.cell}>{merchants ? `${run.accountLabel} · ${run.merchantName}` : run.accountLabel}</td>
              <td {...roles.cell}>{describeRun(run)}</td>
              <Amounts sums={sums} unit={currencies.length > 1} />
            </tr>
          ))}
        </tbody>
        <tfoot {...roles.group}>
          {currencies.map((currency) => (
            <tr key={currency} {...roles.row}>
              <th scope="row" colSpan={3}>
                Together
              </th>
              <Amounts
                sums={addUp(lines.map(({ sums }) => sums).filter((sums) => sums.currency === currency))}
                unit={currencies.length > 1}
              />
            </tr>
          ))}
        </tfoot>
      </table>
    </section>
  );
}

function Amounts({ sums, unit }: { sums: Run['totals'][number]; unit: boolean }) {
  const difference = subtract(sums.theirs.amount, sums.ours.amount);
  return (
    <>
      <td className={classes.number} data-name="Ours" {...roles.cell}>
        {unit && `${sums.currency} `}
        {groupDecimal(sums.ours.amount)}
      </td>
      <td className={classes.number} data-name="Theirs" {...roles.cell}>
        {groupDecimal(sums.theirs.amount)}
      </td>
      <td className={classes.number} data-name="Difference" data-differs={difference !== '0'} {...roles.cell}>
        {signed(sums.theirs.amount, sums.ours.amount)}
      </td>
      <td className={classes.number} data-name="Fees" {...roles.cell}>
        {groupDecimal(sums.fees)}
      </td>
      <td className={classes.number} data-name="Refunded, ours" {...roles.cell}>
        {groupDecimal(sums.oursRefunded.amount)}
      </td>
      <td className={classes.number} data-name="Refunded, theirs" {...roles.cell}>
        {groupDecimal(sums.theirsRefunded.amount)}
      </td>
    </>
  );
}
