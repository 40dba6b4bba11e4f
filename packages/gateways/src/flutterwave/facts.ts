import type { GatewayFacts } from '../gateway.ts';

/** Facts of Flutterwave that are known without its connector. */
export const facts: GatewayFacts = {
  title: 'Flutterwave',
  // Local payments in Nigeria; international ones are paid out after five days.
  settlement: { workingDays: 1, source: 'https://flutterwave.com/us/support/payments/settlement-schedule' },
  // https://developer.flutterwave.com/docs/payment-operations/chargebacks
  answerWithin: { kind: 'working_hours', local: 10, international: 30 },
};
