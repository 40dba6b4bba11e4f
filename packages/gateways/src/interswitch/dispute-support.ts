import type { DisputeSupport } from '../gateway.ts';

/** Disputes are in Arbiter, which is for banks (https://docs.interswitchgroup.com/reference/get-dispute). */
export const disputeSupport: DisputeSupport = {
  answerWithin: null,
  unanswered: null,
  source: 'https://docs.interswitchgroup.com/reference/get-dispute',
  responses: [],
  evidenceFor: [],
  customerFor: [],
  partial: true,
};
