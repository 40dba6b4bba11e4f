import type { FeeSchedule } from './types.ts';

/**
 * Cost of a payment of `amount` (main unit) under a schedule, in hundredths of the main unit. Percentage plus flat
 * (the flat part waived below its threshold), capped, then VAT on top. The percentage and the VAT are each rounded half up
 * to a hundredth. A flat part or a cap of `0.5` main units is read as 50 hundredths. No sum or product is rounded by floating
 * point: every intermediate stays a safe integer up to 1e12 and 100 %.
 */
export function feeInHundredths(schedule: FeeSchedule, amount: number): number {
  const percentage = partOf(amount, schedule.percentBasisPoints, 100);
  const waived = schedule.flatWaivedBelow !== null && amount < schedule.flatWaivedBelow;
  const uncapped = percentage + (waived ? 0 : Math.round(schedule.flat * 100));
  const fee = schedule.cap === null ? uncapped : Math.min(uncapped, Math.round(schedule.cap * 100));
  return fee + partOf(fee, schedule.vatBasisPoints, 10_000);
}

/** `value * basisPoints / divisor`, rounded half up, split so that the product never leaves the safe integers. */
function partOf(value: number, basisPoints: number, divisor: number): number {
  const rest = value % divisor;
  const whole = (value - rest) / divisor;
  return whole * basisPoints + Math.floor((2 * rest * basisPoints + divisor) / (2 * divisor));
}
