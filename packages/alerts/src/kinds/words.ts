import { formatDecimal, formatMoney, groupDecimal } from '@switchyard/routing';
import { z } from 'zod';
import type { Figure } from './kind.ts';

/** An instant in ISO 8601. */
export const instant = z.iso.datetime();
/** A number of things. */
export const count = z.int().min(0);
/** Sums by currency, in main units. */
export const amounts = z.array(z.object({ currency: z.string(), amount: z.string(), count }));

type Amounts = Readonly<z.output<typeof amounts>>;

/** `NGN 1,000.00 and GHS 20.00` */
export function sumsOf(sums: Amounts): string {
  return inWords(sums.map(({ currency, amount }) => formatMoney(currency, amount)));
}

/** A figure per currency, with the count. */
export function figuresOf(sums: Amounts): Figure[] {
  return sums.map(({ currency, amount, count: number }) => ({
    label: currency,
    value: `${formatDecimal(currency, amount)} (${number})`,
  }));
}

/** `12 min`, `3 h 5 min`, `2 d 4 h` */
export function formatDuration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return hours % 24 === 0 ? `${Math.floor(hours / 24)} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `1,234 payments` */
export function plural(number: number, one: string, many: string): string {
  return `${groupDecimal(String(number))} ${number === 1 ? one : many}`;
}

/** `is`; `was` of what is over. */
export function isWas(ended: boolean): string {
  return ended ? 'was' : 'is';
}

/** `is` or `are`; `was` or `were` of what is over. */
export function isAre(number: number, ended = false): string {
  if (ended) return number === 1 ? 'was' : 'were';
  return number === 1 ? 'is' : 'are';
}

/** `Paystack, Flutterwave and Kora` */
export function inWords(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The text with a capital first letter. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The earliest of what is counted in groups. */
export function earliest(rows: readonly { readonly oldestAt: Date }[]): Date {
  return new Date(Math.min(...rows.map(({ oldestAt }) => oldestAt.getTime())));
}

/** The number of things in all groups. */
export function total(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, row) => sum + row.count, 0);
}
