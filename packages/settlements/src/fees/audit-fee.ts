import { addDecimals, compareDecimals, magnitude, subtractDecimals } from '@switchyard/db/decimals';
import { type CardOrigin, computeFee, type FeeComputation, type FeeSchedule } from '@switchyard/routing';

/** A payment whose fee is audited. Amounts are exact decimals of the main unit. */
export interface ChargedPayment {
  /** Received with it. */
  readonly amount: string;
  readonly method: string | null;
  /** The gateway's fee as it came with the payment; null where it reports none. */
  readonly reported: string | null;
  /** Taken off in settlements as fees; null while it is not settled. */
  readonly settledFee: string | null;
  /** The same as other charges of the payment: stamp duty. */
  readonly settledDuty: string;
  /** Where the card is from; null where it is not known. */
  readonly cardOrigin: CardOrigin | null;
}

/** The price that a payment should have had, and what it had. */
export interface AuditedFee {
  readonly computation: FeeComputation;
  /** True where the gateway charged its fee on amount and fee, because the customer bore it. */
  readonly onTop: boolean;
  /** Origin of the card, where it is known; else `international` where that price was charged. */
  readonly origin: CardOrigin | null;
  readonly expected: string;
  /** Null where the gateway reported no fee and it is not settled. */
  readonly charged: string | null;
  /** Charged above what was expected, negative below; 0 within the tolerance. */
  readonly excess: string;
}

/**
 * Compares what a payment was charged with its contract. What was settled counts, and until then what the gateway reported with the
 * payment, without stamp duty, which no gateway reports there. Where it is not known whether a card is international, or whether the
 * customer bore the fee, a charge that is exactly as agreed for one of both is as agreed.
 */
export function auditFee(
  { schedule, tolerance }: { readonly schedule: FeeSchedule; readonly tolerance: string },
  { amount, method, reported, settledFee, settledDuty, cardOrigin }: ChargedPayment,
): AuditedFee {
  const isSettled = settledFee !== null;
  const duty = hasStampDuty(schedule) ? settledDuty : '0';
  const charged = isSettled ? addDecimals(settledFee, duty) : reported;
  const price = (onTop: boolean, origin: CardOrigin | null) => {
    const base = onTop && charged !== null ? addDecimals(amount, charged) : amount;
    const computed = computeFee(schedule, { amount: hundredths(base), method, origin });
    const computation = isSettled ? computed : { ...computed, stampDuty: 0, total: computed.total - computed.stampDuty };
    return { computation, onTop, origin, expected: decimalOf(computation.total) };
  };
  const usual = price(false, cardOrigin);
  if (charged === null) return { ...usual, charged, excess: '0' };
  const isAsAgreed = ({ expected }: { readonly expected: string }) =>
    compareDecimals(magnitude(subtractDecimals(charged, expected)), tolerance) <= 0;
  const isPriceByOrigin = (method ?? 'CARD') === 'CARD' && hasInternationalPrice(schedule);
  const prices = [
    usual,
    price(true, cardOrigin),
    ...(isPriceByOrigin && cardOrigin === null ? [price(false, 'international'), price(true, 'international')] : []),
  ];
  const agreed = prices.find(isAsAgreed);
  if (agreed !== undefined) return { ...agreed, charged, excess: '0' };
  return { ...usual, charged, excess: subtractDecimals(charged, usual.expected) };
}

/** True if payments of some kind have stamp duty beside their fee. */
export function hasStampDuty(schedule: FeeSchedule): boolean {
  return schedule.stampDuty !== undefined || (schedule.exceptions ?? []).some(({ stampDuty }) => stampDuty !== undefined);
}

function hasInternationalPrice({ exceptions = [] }: FeeSchedule): boolean {
  return exceptions.some(({ origin }) => origin === 'international');
}

/** A positive amount in hundredths of the main unit, rounded half up. */
function hundredths(amount: string): number {
  const [whole = '0', fraction = ''] = amount.split('.');
  const thousandths = BigInt(whole) * 1_000n + BigInt(fraction.padEnd(3, '0').slice(0, 3));
  return Number((thousandths + 5n) / 10n);
}

/** Hundredths of the main unit as an exact decimal. */
export function decimalOf(amount: number): string {
  const digits = BigInt(amount).toString().padStart(3, '0');
  return addDecimals(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}
