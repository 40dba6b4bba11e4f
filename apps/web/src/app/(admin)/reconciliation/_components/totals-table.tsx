'use client';

import { groupDecimal } from '../../../../money/amounts.ts';
import { describeRun, type Run } from '../../../../words/differences.ts';
import { sayDay } from './day-grid.tsx';
import { addUp, signed, subtract } from './sums.ts';
import classes from './totals-table.module.css';

/** What both sides came to, a line for each day, account and currency, and under them what they add up to. */
export function TotalsTable({ runs }: { runs: readonly Run[] }) {
  const lines = runs.flatMap((run) => run.totals.map((sums) => ({ run, sums })));
  if (lines.length === 0) return <p className={classes.none}>Nothing has been compared on these days yet.</p>;
  const currencies = [...new Set(lines.map(({ sums }) => sums.currency))].sort();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard.
    <section className={classes.scroll} aria-label="Totals by day" tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Account</th>
            <th scope="col">Stands</th>
            {['Ours', 'Theirs', 'Difference', 'Fees', 'Refunded, ours', 'Refunded, theirs'].map((name) => (
              <th key={name} scope="col" className={classes.number}>
                {currencies.length === 1 ? `${name}, ${currencies[0]}`.replace(/^(Refunded, \w+), /, '$1, ') : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ run, sums }) => (
            <tr key={`${run.runId} ${sums.currency}`}>
              <td>{sayDay(run.day)}</td>
              <td>{run.accountLabel}</td>
              <td>{describeRun(run)}</td>
              <Amounts sums={sums} unit={currencies.length > 1} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          {currencies.map((currency) => (
            <tr key={currency}>
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
      <td className={classes.number}>
        {unit && `${sums.currency} `}
        {groupDecimal(sums.ours.amount)}
      </td>
      <td className={classes.number}>{groupDecimal(sums.theirs.amount)}</td>
      <td className={classes.number} data-differs={difference !== '0'}>
        {signed(sums.theirs.amount, sums.ours.amount)}
      </td>
      <td className={classes.number}>{groupDecimal(sums.fees)}</td>
      <td className={classes.number}>{groupDecimal(sums.oursRefunded.amount)}</td>
      <td className={classes.number}>{groupDecimal(sums.theirsRefunded.amount)}</td>
    </>
  );
}
