import { SHARE_FROM } from '@switchyard/routing';

/** The share of delivery attempts answered 2xx, never rounded up to 100 %: `99.9%`; `3 of 11` where they are too few for a percentage. */
export function shareOf({ attempts, delivered }: { readonly attempts: number; readonly delivered: number }): string {
  if (attempts === 0) return '–';
  if (attempts < SHARE_FROM) return `${delivered} of ${attempts}`;
  return `${Math.floor((delivered / attempts) * 1_000) / 10}%`;
}
