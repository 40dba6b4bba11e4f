import type { Discrepancy, Run } from '#/copy/discrepancies.ts';
import { addDecimals, formatDecimal, formatMoney, subtractDecimals } from '#/format/amounts.ts';

/** `a` less `b`, amounts of a currency, signed: `+1,200.00`, `−99.50`, `0.00`. */
export function signed(currency: string, a: string, b: string): string {
  const difference = subtractDecimals(a, b);
  return `${/^-|^0$/.test(difference) ? '' : '+'}${formatDecimal(currency, difference)}`;
}

type Sums = Run['totals'][number];

/** The sum of several days' totals of one currency. */
export function addUp(all: readonly Sums[]): Sums {
  const add = (pick: (sums: Sums) => string) => addDecimals(all.map(pick));
  const side = (pick: (sums: Sums) => Sums['ledger']) => ({
    count: all.reduce((total, sums) => total + pick(sums).count, 0),
    amount: add((sums) => pick(sums).amount),
  });
  return {
    currency: all[0]?.currency ?? '',
    ledger: side((sums) => sums.ledger),
    statement: side((sums) => sums.statement),
    fees: add((sums) => sums.fees),
    ledgerRefunded: side((sums) => sums.ledgerRefunded),
    statementRefunded: side((sums) => sums.statementRefunded),
  };
}

/** The amounts in question of discrepancies together, by currency: `NGN 1,250.50 · USD 3.00`. */
export function describeTotals(rows: readonly Pick<Discrepancy, 'amount' | 'ledger' | 'statement'>[]): string {
  const byCurrency = Map.groupBy(rows, currencyOf);
  return [...byCurrency]
    .map(([currency, some]) => formatMoney(currency, addDecimals(some.map(({ amount }) => amount))).trim())
    .join(' · ');
}

/** The currency of a discrepancy's amount in question; empty where neither side names one. */
export function currencyOf({ statement, ledger }: Pick<Discrepancy, 'ledger' | 'statement'>): string {
  const currency = statement?.currency ?? ledger?.currency;
  return typeof currency === 'string' ? currency : '';
}
