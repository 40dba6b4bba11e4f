'use client';

import classes from '#/app/(admin)/settlements/_components/explained.module.css';
import type { FeeSums } from '#/copy/fees.ts';
import { formatMoney } from '#/format/amounts.ts';

/** Charges beyond the contracts, beside what was agreed; a line for each currency. */
export function Overcharge({ sums }: { sums: readonly FeeSums[] }) {
  return (
    <div className="grid gap-3 mb-5">
      {sums.map((one) => (
        <Currency key={one.currency} sums={one} />
      ))}
    </div>
  );
}

function Currency({ sums }: { sums: FeeSums }) {
  const { currency, overcharge, overcharged, expected, charged, undercharge, undercharged, withoutContract, withoutFee } = sums;
  const figure = (amount: string) => formatMoney(currency, amount);
  return (
    <section className={classes.currency} aria-label={`Fees, ${currency}`}>
      <dl className={classes.figures}>
        <div className={classes.headline}>
          <dt>Overcharged</dt>
          <dd>{figure(overcharge)}</dd>
          <dd className={classes.detail}>{countPayments(overcharged)}</dd>
        </div>
        <div>
          <dt>By contract</dt>
          <dd>{figure(expected)}</dd>
          <dd className={classes.detail}>{countPayments(sums.compared)} compared</dd>
        </div>
        <div>
          <dt>Charged</dt>
          <dd>{figure(charged)}</dd>
        </div>
        <div>
          <dt>Less than agreed</dt>
          <dd>{figure(undercharge)}</dd>
          <dd className={classes.detail}>{countPayments(undercharged)}</dd>
        </div>
        <div>
          <dt>Not compared</dt>
          <dd>{countPayments(sums.payments - sums.compared)}</dd>
          <dd className={classes.detail}>
            {withoutContract > 0 && `${withoutContract.toLocaleString('en')} without a contract`}
            {withoutContract > 0 && withoutFee > 0 && ', '}
            {withoutFee > 0 && `${withoutFee.toLocaleString('en')} without a known fee`}
          </dd>
        </div>
      </dl>
    </section>
  );
}

function countPayments(count: number): string {
  return count === 1 ? '1 payment' : `${count.toLocaleString('en')} payments`;
}
