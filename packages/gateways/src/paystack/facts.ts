import type { GatewayFacts } from '../gateway.ts';

/** Facts of Paystack that are known without its connector. */
export const facts: GatewayFacts = {
  title: 'Paystack',
  // One working day after the payment, for businesses in Nigeria; holidays are not listed.
  settlement: { workingDays: 1, source: 'https://paystack.com/blog/product/payouts-on-demand' },
  // https://support.paystack.com/en/articles/2125442
  answerWithin: { kind: 'hours', hours: 16 },
};
