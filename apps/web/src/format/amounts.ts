export { formatDecimal, formatMoney, groupDecimal } from '@switchyard/routing';

/** A share as a percentage with one decimal, or a dash when there is nothing to have a share of. */
export function describeShare(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)}%`;
}

/** Change of a number since an earlier one: `+12%`, `−3%`; empty when there is nothing to compare with. */
export function describeChange(now: number, before: number): string {
  if (before === 0) return '';
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return '±0%';
  return percent > 0 ? `+${percent}%` : `−${-percent}%`;
}
