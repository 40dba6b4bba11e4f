import { formatDecimal } from '#/format/amounts.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { counted, shareText } from '../rules/copy.ts';

/** Results of payments while a version was active. */
export type VersionResults = RouterOutputs['routing']['versions']['results'][number];

/** `4,201 payments · 87.2% succeeded · NGN 12,300.50 fees`; a currency each. No rate on fewer than 20 payments that ended. */
export function describeResults({ currencies }: Pick<VersionResults, 'currencies'>): string[] {
  if (currencies.length === 0) return ['No payments'];
  return currencies.map(({ currency, payments, paid, failed, fees }) => {
    const rate = shareText(paid, paid + failed);
    const parts = [
      counted(payments, 'payment'),
      rate === null ? `${paid.toLocaleString('en')} succeeded` : `${rate} succeeded`,
      `${currency}\u00a0${formatDecimal(currency, fees)}\u00a0fees`,
    ];
    return parts.join(' · ');
  });
}
