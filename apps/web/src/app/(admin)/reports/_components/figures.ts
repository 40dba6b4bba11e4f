import { formatDecimal, groupDecimal, isComparable } from '#/format/amounts.ts';
import { type Column, isTooFew, type Sums } from '../report.ts';

/** A formatted figure: `12,500`, `12,500.00`, `94.2%`; a dash for none. */
function formatFigure(kind: Column['kind'], currency: string, value: string): string {
  if (value === '') return '–';
  switch (kind) {
    case 'share':
      return `${(Number(value) * 100).toFixed(1)}%`;
    case 'money':
      return formatDecimal(currency, value);
    case 'count':
      return groupDecimal(value);
    default:
      return kind satisfies never;
  }
}

/** A column's figure of these sums; a share of too few payments as counts: `3 of 4`. */
export function figureOf(column: Column, currency: string, sums: Sums): string {
  const whole = column.whole?.(sums) ?? 0;
  if (whole > 0 && isTooFew(column, sums)) return `${sums.paid} of ${whole}`;
  return formatFigure(column.kind, currency, column.value(sums));
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** A number in a short form: `12.5M`, `94%`. */
export function formatFigureShort(kind: Column['kind'], value: number): string {
  return kind === 'share' ? `${(value * 100).toFixed(1)}%` : compact.format(value);
}

/** Change of a number since an earlier one: `+12.4%`, for shares in points; empty where nothing can be compared. */
function change(kind: Column['kind'], now: number | null, before: number | null): string {
  if (now === null || before === null || (kind !== 'share' && before === 0)) return '';
  const by = kind === 'share' ? (now - before) * 100 : ((now - before) / Math.abs(before)) * 100;
  const size = Math.abs(by).toFixed(1);
  return `${size === '0.0' ? '±' : by > 0 ? '+' : '−'}${size}${kind === 'share' ? ' pt' : '%'}`;
}

/** Change of a column since the sums before; empty where that cannot be compared, or by too few payments. */
export function changeOf(column: Column, now: Sums, before: Sums | null): string {
  if (before === null || !isComparable(countOf(column, now), countOf(column, before))) return '';
  return change(column.kind, numberIn(column.value(now)), numberIn(column.value(before)));
}

/** The payments that a figure is about. */
const countOf = ({ whole }: Column, sums: Sums): number => whole?.(sums) ?? sums.payments;

/** The change in one sentence that names what it is measured by: `+12.4% against NGN 1,200,000.00 in the previous period`. */
export function compare(column: Column, currency: string, now: Sums, before: Sums | null): string {
  const was = before === null ? '' : column.value(before);
  const changed = changeOf(column, now, before);
  if (before === null || before.payments === 0) return 'No data in the previous period';
  if (changed === '') return 'Too few payments to compare with the previous period';
  return `${changed} against ${column.kind === 'money' ? `${currency} ` : ''}${formatFigure(column.kind, currency, was)} in the previous period`;
}

const numberIn = (value: string): number | null => (value === '' ? null : Number(value));
