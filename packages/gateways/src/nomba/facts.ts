import type { GatewayFacts } from '../gateway.ts';

/** Facts of Nomba that are known without its connector. */
export const facts: GatewayFacts = {
  title: 'Nomba',
  // Payments are credited to the merchant's wallet at Nomba; its documentation names no day of a payout to a bank.
  settlement: { workingDays: 1, source: null },
  // "necessitating resolution within a 24-hour timeframe": https://developer.nomba.com/products/checkout/dispute-management
  answerWithin: { kind: 'hours', hours: 24 },
};
