import type { DisputeSupport } from '../gateway.ts';

/** Nothing about disputes is documented. */
export const disputeSupport: DisputeSupport = {
  answerWithin: null,
  unanswered: null,
  source: null,
  responses: [],
  evidenceFor: [],
  customerFor: [],
  partial: true,
};
