import type { DisputeSupport } from '../gateway.ts';

/** A list is documented without its answer (https://docs.squadco.com/Others/disputes-chargebacks), so nothing of it is read or sent. */
export const disputeSupport: DisputeSupport = {
  answerWithin: null,
  unanswered: null,
  source: 'https://docs.squadco.com/Others/disputes-chargebacks',
  responses: [],
  evidenceFor: [],
  customerFor: [],
  partial: true,
};
