import { formatMoney } from '../format/amounts.ts';
import type { RouterOutputs } from '../trpc/outputs.ts';

/** Impact of an incident on payments of one currency. */
export type CurrencyImpact = RouterOutputs['incidents']['impact']['currencies'][number];

/** The outcomes in the order in which they are shown. */
export const IMPACT_ORDER = [
  'recovered',
  'retried',
  'lost',
  'open',
  'same_account',
] as const satisfies readonly (keyof CurrencyImpact['outcomes'])[];

/** Outcomes of payments that met the fault. */
export const OUTCOME_LABELS: Readonly<
  Record<keyof CurrencyImpact['outcomes'], { readonly word: string; readonly meaning: string }>
> = {
  recovered: { word: 'Recovered', meaning: 'Paid at another gateway account.' },
  retried: {
    word: 'Made to try again',
    meaning: 'Not paid; the same customer paid the same amount with another payment within a day.',
  },
  lost: { word: 'Lost', meaning: 'Not paid, and the customer did not pay with another payment.' },
  open: { word: 'Still open', meaning: 'Not paid yet; the checkout has not expired.' },
  same_account: { word: 'Paid at the same account', meaning: 'The account that had failed was paid after all.' },
};

/** Payments of one currency that met the fault of incidents, by what became of them: of the page, and of the banner. */
export type OutcomeSums = Pick<CurrencyImpact, 'currency' | 'met' | 'outcomes'>;

/** Parts of the impact that a list of payments may be of, in the order of {@link IMPACT_ORDER}. */
export const LISTED_OUTCOMES = [...IMPACT_ORDER, 'lost_in_checkout'] as const;

/** Outcomes of payments, within a sentence. */
export const OUTCOME_PHRASES: Readonly<Record<(typeof LISTED_OUTCOMES)[number], string>> = {
  recovered: 'recovered',
  retried: 'made to try again',
  lost: 'lost',
  open: 'still open',
  same_account: 'paid at the same account',
  lost_in_checkout: 'lost with a checkout at another gateway',
};

/** Outcomes that are named even where no payment has them. */
export const ALWAYS_NAMED: ReadonlySet<(typeof IMPACT_ORDER)[number]> = new Set(['recovered', 'lost']);

/**
 * Impact on payments, as the banner of an outage and the pages of its incidents say it: `13 payments`, null where there is none, and the
 * rest of the sentence. Money of two currencies is never added.
 */
export function describeOutcomes(impact: readonly OutcomeSums[]): { readonly affected: string | null; readonly rest: string } {
  const met = impact.map((one) => ({ currency: one.currency, ...one.met }));
  const payments = totalOf(met);
  if (payments === 0) return { affected: null, rest: 'No payment has been affected so far.' };
  const phrases = IMPACT_ORDER.flatMap((outcome) => {
    const sums = impact.map((one) => ({ currency: one.currency, ...one.outcomes[outcome] }));
    const own = totalOf(sums);
    if (own === 0) return ALWAYS_NAMED.has(outcome) ? [`none ${OUTCOME_PHRASES[outcome]}`] : [];
    return [`${own.toLocaleString('en')} ${OUTCOME_PHRASES[outcome]} (${moneyOf(sums)})`];
  });
  return { affected: count(payments), rest: ` (${moneyOf(met)}) affected: ${phrases.join(', ')}.` };
}

interface CurrencySum {
  readonly currency: string;
  readonly payments: number;
  readonly amount: bigint;
}

function totalOf(sums: readonly CurrencySum[]): number {
  return sums.reduce((total, { payments }) => total + payments, 0);
}

function moneyOf(sums: readonly CurrencySum[]): string {
  return sums
    .filter(({ payments }) => payments > 0)
    .map(({ currency, amount }) => formatMoney(currency, amount))
    .join(', ');
}

/** Amount that fallbacks saved, in a sentence. */
export function describeFallbacks({ currency, outcomes, lostWithoutFallbacks }: CurrencyImpact): string {
  const { recovered } = outcomes;
  if (recovered.payments === 0) return 'Fallbacks recovered no payment.';
  const noun = recovered.payments === 1 ? 'payment' : 'payments';
  const more = `${recovered.payments.toLocaleString('en')} more ${noun} (${formatMoney(currency, recovered.amount)})`;
  const all = `${lostWithoutFallbacks.payments.toLocaleString('en')} in all (${formatMoney(currency, lostWithoutFallbacks.amount)})`;
  return `Without fallbacks ${more} would have been lost, ${all}.`;
}

/** Extra fees of fallbacks, in a sentence; empty where none was recovered. */
export function describeExtraFee({ currency, outcomes, extraFee }: CurrencyImpact): string {
  const { amount, payments, withoutContract } = extraFee;
  if (outcomes.recovered.payments === 0) return '';
  if (payments === 0) return 'What they cost in fees is not known: an account has no fee contract.';
  const rest = withoutContract === 0 ? '' : `, without ${count(withoutContract)} of an account without a fee contract`;
  if (amount === '0') return `Their contract fees are the same${rest}.`;
  const isCheaper = amount.startsWith('-');
  const sum = formatMoney(currency, isCheaper ? amount.slice(1) : amount);
  return `By contract their fees are ${sum} ${isCheaper ? 'lower' : 'higher'} than at the account that failed${rest}.`;
}

function count(payments: number): string {
  return `${payments.toLocaleString('en')} ${payments === 1 ? 'payment' : 'payments'}`;
}
