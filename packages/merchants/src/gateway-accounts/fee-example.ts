import { gateways, type PublishedFees } from '@switchyard/gateways';
import { type FeeSchedule, feeInHundredths, formatHundredths, formatMoney, type PaymentMethod } from '@switchyard/routing';

/** Cost of a payment of one amount. Money is written out, as `formatMoney` of routing does. */
export interface FeeExample {
  /** Whole main units. */
  readonly amount: number;
  /** `250.00` */
  readonly fee: string;
  /** `9,750.00` */
  readonly received: string;
  /** `NGN 10,000.00 by card costs NGN 250.00; you receive NGN 9,750.00.` */
  readonly sentence: string;
}

/** The fee of one amount under a schedule. `by` is how it is paid, as a clause: `by card`; empty for any way. */
export function feeExample(
  schedule: FeeSchedule,
  { currency, amount, by, method = null }: { currency: string; amount: number; by: string; method?: PaymentMethod | null },
): FeeExample {
  const fee = feeInHundredths(schedule, { amount, method });
  const received = amount * 100 - fee;
  const paid = `${formatMoney(currency, amount)}${by === '' ? '' : ` ${by}`}`;
  const feeText = bare(currency, formatHundredths(currency, fee));
  const left = bare(currency, formatHundredths(currency, Math.abs(received)));
  const outcome = received < 0 ? `you pay ${currency} ${left} on top` : `you receive ${currency} ${left}`;
  return {
    amount,
    fee: feeText,
    received: received < 0 ? `−${left}` : left,
    sentence: `${paid} costs ${fee === 0 ? 'nothing' : `${currency} ${feeText}`}; ${outcome}.`,
  };
}

function bare(currency: string, text: string): string {
  return text.slice(currency.length + 1);
}

/** The fees a gateway publishes. */
export interface PublishedFeesOf extends PublishedFees {
  readonly gateway: string;
  readonly schedule: FeeSchedule;
}

/** Published prices for local payments in naira, as a default; a merchant's agreement with its gateway may differ. */
export const PUBLISHED_FEES: readonly PublishedFeesOf[] = gateways.flatMap(({ name, publishedFees }) =>
  publishedFees.map((published) => ({ gateway: name, ...published })),
);
