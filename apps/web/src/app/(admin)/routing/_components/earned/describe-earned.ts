import { formatMoney } from '#/format/amounts.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** Earnings of routing in a month, in one currency. */
export type EarnedMonth = RouterOutputs['routing']['earned'][number];

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `November 2026` */
export function monthName(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`));
}

/** `NGN 1,200,000, between NGN 300,000 and NGN 2,100,000`; a loss is one that was lost. */
export function describeMoney(currency: string, { estimate, from, to }: NonNullable<EarnedMonth['earned']>): string {
  const of = (amount: number) => `${amount < 0 ? '−' : ''}${formatMoney(currency, String(Math.abs(amount)))}`;
  return `${of(estimate)}, between ${of(from)} and ${of(to)}`;
}

/** The result of a month, in one sentence. */
export function describeEarned({ month, currency, percent, earned, weeksLeft }: EarnedMonth): string {
  const name = monthName(month);
  if (earned !== null) {
    const verb = earned.estimate < 0 ? 'lost' : 'earned';
    return `In ${name} routing ${verb} ${describeMoney(currency, earned).replace('−', '')}, with ${percent}% of customers held out.`;
  }
  if (weeksLeft === null) return `In ${name} too few customers have paid or left to say anything yet.`;
  return `Not enough yet for ${name}: about ${weeksLeft} more ${weeksLeft === 1 ? 'week' : 'weeks'} with as many customers.`;
}

/** The report as a file: a line for each month and currency. */
export function earnedCsv(months: readonly EarnedMonth[]): string {
  const head =
    'month,currency,held_out_percent,routed_customers,routed_paid,routed_amount,routed_fees,held_out_customers,held_out_paid,held_out_amount,held_out_fees,routed_payments,difference,difference_from,difference_to,earned,earned_from,earned_to';
  const lines = months.map(({ month, currency, percent, routed, heldOut, payments, difference, earned }) =>
    [
      ...[month, currency, percent],
      ...[routed.customers, routed.paid, routed.amount, routed.fees],
      ...[heldOut.customers, heldOut.paid, heldOut.amount, heldOut.fees],
      ...[payments, difference?.estimate, difference?.from, difference?.to],
      ...[earned?.estimate, earned?.from, earned?.to],
    ].join(','),
  );
  return `${[head, ...lines].join('\r\n')}\r\n`;
}
