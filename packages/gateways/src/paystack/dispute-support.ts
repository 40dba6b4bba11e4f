import type { DisputeSupport } from '../gateway.ts';

/** Within 16 hours; then it is accepted (https://support.paystack.com/en/articles/2125442). A file belongs to every answer. */
export const disputeSupport: DisputeSupport = {
  answerWithin: { kind: 'hours', hours: 16 },
  unanswered: 'accepted',
  source: 'https://paystack.com/docs/payments/manage-disputes/',
  responses: ['accept', 'contest'],
  evidenceFor: ['accept', 'contest'],
  customerFor: ['contest'],
  partial: true,
};
