import type { GatewayFacts } from '../gateway.ts';

/** Facts of Monnify that are known without its connector. */
export const facts: GatewayFacts = {
  title: 'Monnify',
  // Cards, USSD and phone numbers at 10 PM of the next working day. Transfers come on the same day, as do all methods by a later version
  // of the page: earlier than expected is no discrepancy. Refunds: https://developers.monnify.com/docs/collections/refunds.
  settlement: {
    workingDays: 1,
    source: 'https://developers.monnify.com/docs/collections/settlements',
    refundsFromWallet: true,
  },
  answerWithin: null,
};
