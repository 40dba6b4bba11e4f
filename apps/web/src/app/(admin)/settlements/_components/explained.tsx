'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { describeExplained } from '#/copy/settlements.ts';
import { formatMoney } from '#/format/amounts.ts';
import { addDecimals } from '#/format/decimals.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import classes from './explained.module.css';

type Money = RouterOutputs['settlements']['explained'][number];

/** The share of settled money that is matched to the kobo, and what has not come yet; a line for each currency. */
export function Explained({ money, onUnexplained }: { money: readonly Money[]; onUnexplained: () => void }) {
  return (
    <div className="grid gap-3 mb-5">
      {money.map((one) => (
        <Currency key={one.currency} money={one} onUnexplained={onUnexplained} />
      ))}
    </div>
  );
}

function Currency({ money, onUnexplained }: { money: Money; onUnexplained: () => void }) {
  const scope = useScope();
  const { currency, explained, unexplained, share, settled, onTheWay, late, missing } = money;
  const figure = (amount: string) => formatMoney(currency, amount);
  const openAmounts = (kind: string) => hrefIn(scope, '/settlements', { view: 'discrepancies', kind });
  return (
    <section className={classes.currency} aria-label={`Settled money, ${currency}`}>
      <dl className={classes.figures}>
        <div className={classes.headline}>
          <dt>Explained</dt>
          <dd>{describeExplained(share)}</dd>
          <dd className={classes.detail}>
            {share === null
              ? 'Nothing was settled yet'
              : `${figure(explained)} of ${figure(addDecimals([explained, unexplained]))} in lines`}
          </dd>
        </div>
        <Figure name="Unexplained" amount={figure(unexplained)} alarm={unexplained !== '0'}>
          {unexplained !== '0' && (
            <button type="button" className={classes.more} onClick={onUnexplained}>
              Show settlements
            </button>
          )}
        </Figure>
        <Figure name="Settled, net" amount={figure(settled)} />
        <Figure name="On the way" amount={figure(onTheWay)} />
        <Figure name="Late" amount={figure(late)} alarm={late !== '0'}>
          {late !== '0' && <Link href={openAmounts('LATE')}>Show late</Link>}
        </Figure>
        <Figure name="Missing" amount={figure(missing)} alarm={missing !== '0'}>
          {missing !== '0' && <Link href={openAmounts('MISSING')}>Show missing</Link>}
        </Figure>
      </dl>
    </section>
  );
}

function Figure({
  name,
  amount,
  alarm = false,
  children,
}: {
  name: string;
  amount: string;
  alarm?: boolean;
  children?: ReactNode;
}) {
  return (
    <div data-alarm={alarm}>
      <dt>{name}</dt>
      <dd>{amount}</dd>
      {children !== undefined && children !== false && <dd className={classes.detail}>{children}</dd>}
    </div>
  );
}
