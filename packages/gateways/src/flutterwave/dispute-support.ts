import type { DisputeSupport } from '../gateway.ts';

/** "Chargebacks", https://developer.flutterwave.com/docs/payment-operations/chargebacks: without an answer it is lost. */
export const disputeSupport: DisputeSupport = {
  answerWithin: { kind: 'working_hours', local: 10, international: 30 },
  unanswered: 'lost',
  source: 'https://developer.flutterwave.com/docs/payment-operations/chargebacks',
  responses: ['accept', 'contest'],
  evidenceFor: ['contest'],
  customerFor: [],
  partial: false,
};
