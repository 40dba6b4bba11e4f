import type { Quirks } from '../world/plan.ts';

/** A fee in hundredths, calculated from the price list alone and not as the gateway of the model does. */
export function feeByPriceList(amount: number, { feeBasisPoints, feeMax }: Pick<Quirks, 'feeBasisPoints' | 'feeMax'>): number {
  const share = Math.round((amount * feeBasisPoints) / 10_000);
  return feeMax > 0 && share > feeMax ? feeMax : share;
}
