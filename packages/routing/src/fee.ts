import type { EffectiveRate, FeeBasis, FeeComputation, FeeSchedule, PricedPayment } from './fee-types.ts';
import type { PaymentMethod, RoutableAccount } from './types.ts';

/**
 * The fee of a payment under a schedule. Percentage plus flat (the flat part waived below its threshold), capped, then VAT on top, then
 * stamp duty, on which there is no VAT. The percentage and the VAT are each rounded half up to a hundredth. Flat parts and caps hold two
 * decimals at most. No sum or product is rounded by floating point: every intermediate stays a safe integer up to 1e12 main units and
 * 100 %.
 */
export function computeFee(schedule: FeeSchedule, payment: PricedPayment): FeeComputation {
  const place = schedule.exceptions?.findIndex(({ methods, origin, amount }) => {
    const isMethod = methods.length === 0 || (payment.method !== null && methods.includes(payment.method));
    const isOrigin = origin === null || origin === (payment.origin ?? 'local');
    const isAmount = payment.amount >= amount.from * 100 && (amount.to === null || payment.amount < (amount.to + 1) * 100);
    return isMethod && isOrigin && isAmount;
  });
  const exception = place === undefined || place < 0 ? null : place;
  const terms = (exception === null ? undefined : schedule.exceptions?.[exception]) ?? schedule;
  const percentage = partOf(payment.amount, terms.percentBasisPoints, 10_000);
  const waived = terms.flatWaivedBelow !== null && payment.amount < terms.flatWaivedBelow * 100;
  const flat = waived ? 0 : inHundredths(terms.flat);
  const uncapped = percentage + flat;
  const capped = terms.cap === null ? uncapped : Math.min(uncapped, inHundredths(terms.cap));
  const vat = partOf(capped, terms.vatBasisPoints, 10_000);
  const { stampDuty: duty } = terms;
  const stampDuty = duty === undefined || payment.amount < duty.from * 100 ? 0 : inHundredths(duty.amount);
  return { terms, exception, percentage, flat, waived, capped, vat, stampDuty, total: capped + vat + stampDuty };
}

/** A payment as routing knows it. `amount` is in whole main units. */
interface UnpaidPayment {
  readonly amount: number;
  readonly method: PaymentMethod | null;
}

/** The fee of a payment under a schedule, in hundredths of the main unit; see {@link computeFee}. */
export function feeInHundredths(schedule: FeeSchedule, { amount, method }: UnpaidPayment): number {
  return computeFee(schedule, { amount: amount * 100, method, origin: null }).total;
}

/**
 * The fee of a payment at an account, in hundredths of the main unit: by its contract, or by what the account was charged for payments of
 * that method and size, and by the contract where too few were. Null without either.
 */
export function accountFee(
  { fees, effectiveRates }: Pick<RoutableAccount, 'fees' | 'effectiveRates'>,
  payment: UnpaidPayment & { readonly currency: string },
  basis: FeeBasis,
): number | null {
  const rate = basis === 'effective' ? effectiveRates?.find((each) => isOfRate(each, payment)) : undefined;
  if (rate !== undefined) return partOf(payment.amount * 100, rate.rateMillionths, 1_000_000);
  return fees === null ? null : feeInHundredths(fees, payment);
}

/** The fee of a payment at one of the accounts, as {@link accountFee}; null where it goes to none of them. */
export function feeAt(
  accounts: readonly Pick<RoutableAccount, 'accountId' | 'fees' | 'effectiveRates'>[],
  accountId: string | null,
  payment: UnpaidPayment & { readonly currency: string },
  basis: FeeBasis,
): number | null {
  const account = accounts.find((each) => each.accountId === accountId);
  return account === undefined ? null : accountFee(account, payment, basis);
}

function isOfRate(
  { currency, method, amount: { from, to } }: EffectiveRate,
  payment: UnpaidPayment & { readonly currency: string },
): boolean {
  if (currency !== payment.currency || method !== payment.method) return false;
  return payment.amount >= from && (to === null || payment.amount <= to);
}

function inHundredths(amount: number): number {
  return Math.round(amount * 100);
}

/** `value * share / divisor`, rounded half up, split so that the product never leaves the safe integers. */
function partOf(value: number, share: number, divisor: number): number {
  const rest = value % divisor;
  const whole = (value - rest) / divisor;
  return whole * share + Math.floor((2 * rest * share + divisor) / (2 * divisor));
}
