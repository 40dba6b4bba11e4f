import type { DisputeSupport } from '../gateway.ts';

/**
 * "Chargebacks", https://developers.korapay.com/docs/chargebacks, and https://support.korapay.com/en/articles/6089927 for the hours. No list
 * is documented, and the names of all fields of an answer could not be found: it is given on Kora's dashboard.
 */
export const disputeSupport: DisputeSupport = {
  answerWithin: { kind: 'hours', hours: 24 },
  unanswered: 'accepted',
  source: 'https://developers.korapay.com/docs/chargebacks',
  responses: [],
  evidenceFor: [],
  customerFor: [],
  partial: true,
};
