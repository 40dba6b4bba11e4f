import type { Run } from '../../../../copy/discrepancies.ts';
import { groupDecimal } from '../../../../format/amounts.ts';

const PLACES = 30;

function parts(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.replace('-', '').split('.');
  const value = BigInt(whole + fraction.padEnd(PLACES, '0'));
  return decimal.startsWith('-') ? -value : value;
}

function decimal(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `a` less `b`, exactly. */
export function subtract(a: string, b: string): string {
  return decimal(parts(a) - parts(b));
}

/** `a` less `b`, signed and grouped: `+1,200`, `−99.5`, `0`. */
export function signed(a: string, b: string): string {
  const difference = subtract(a, b);
  if (difference === '0') return '0';
  return difference.startsWith('-') ? `−${groupDecimal(difference.slice(1))}` : `+${groupDecimal(difference)}`;
}

type Sums = Run['totals'][number];

/** The sum of several days' totals of one currency. */
export function addUp(all: readonly Sums[]): Sums {
  const add = (pick: (sums: Sums) => string) => decimal(all.reduce((total, sums) => total + parts(pick(sums)), 0n));
  const side = (pick: (sums: Sums) => Sums['ours']) => ({
    count: all.reduce((total, sums) => total + pick(sums).count, 0),
    amount: add((sums) => pick(sums).amount),
  });
  return {
    currency: all[0]?.currency ?? '',
    ours: side((sums) => sums.ours),
    theirs: side((sums) => sums.theirs),
    fees: add((sums) => sums.fees),
    oursRefunded: side((sums) => sums.oursRefunded),
    theirsRefunded: side((sums) => sums.theirsRefunded),
  };
}
