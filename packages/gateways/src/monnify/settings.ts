import type { CertificationFacts, DisputeSupport, PublishedFees, PublishedSettlement, TransferRules } from '../gateway.ts';

/**
 * Values that Monnify's documentation leaves out or contradicts. Each value is a working assumption, gathered here so that an
 * observation of the live service is one changed line.
 */
export const settings = {
  /** Smallest amount in naira. */
  minAmount: 20,
  minNameLength: 3,
  /** Longest texts a refund takes. */
  refundReasonLength: 64,
  customerNote: 'Refund',
  /** Ten when not asked for; the most that is given is not documented. */
  rowsPerPage: 50,
  /** Payouts are made in naira: no currency is in the webhook that announces them. */
  settlementCurrency: 'NGN',
  /** Times without a zone are Lagos': a transaction's reference shows 09:08 where the search shows 08:08 with the offset 0. */
  zone: '+01:00',
  lagosAheadMs: 3_600_000,
  /** Query parameter that the customer's browser brings back. Other parameters were reported, but are not documented. */
  returnedReference: 'paymentReference',
} as const;

/** https://developers.monnify.com/docs/webhooks: a field for each kind of webhook. */
export const dashboardSettings: readonly string[] = [
  'Enter the webhook address for settlements as well as for completed transactions and refunds: each has a field of its own.',
];

/** The price for local payments in naira. */
export const publishedFees: readonly PublishedFees[] = [
  {
    title: 'Monnify, local payments',
    schedule: { percentBasisPoints: 150, flat: 0, flatWaivedBelow: null, cap: 2_000, vatBasisPoints: 0 },
    note: 'From an earlier price list. A refund paid out by transfer costs NGN 10.',
  },
];

/** Our word for a method → the payment method to pass to Monnify's checkout. */
export const paymentMethodOf: Readonly<Record<string, string>> = {
  CARD: 'CARD',
  TRANSFER: 'ACCOUNT_TRANSFER',
  USSD: 'USSD',
  DIRECT_DEBIT: 'DIRECT_DEBIT',
};

/** The payment method of a transaction → our word for it. */
export const methodOf: Readonly<Record<string, string>> = {
  CARD: 'CARD',
  ACCOUNT_TRANSFER: 'TRANSFER',
  USSD: 'USSD',
  DIRECT_DEBIT: 'DIRECT_DEBIT',
};

/**
 * Cards, USSD and phone numbers at 10 PM of the next working day. Transfers come on the same day, as do all methods by a later version
 * of the page: earlier than expected is no discrepancy. Refunds: https://developers.monnify.com/docs/collections/refunds.
 */
export const publishedSettlement: PublishedSettlement = {
  workingDays: 1,
  source: 'https://developers.monnify.com/docs/collections/settlements',
  refundsFromWallet: true,
};

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

const statuses = {
  title: 'Verify transactions, statuses',
  address: 'https://developers.monnify.com/docs/collections/manage-payments/verify-transactions',
};

/** PARTIALLY_PAID ("Request the balance or issue a refund") and OVERPAID ("Refund the excess"): the money stays with the merchant. */
export const transfers: TransferRules = {
  another_amount: { end: 'received', shownBy: 'PARTIALLY_PAID, OVERPAID', section: statuses },
  late: { end: 'not_published', shownBy: null, section: null },
  again: { end: 'not_published', shownBy: null, section: null },
};

/** From its documentation, never from a simulator. */
export const certification: CertificationFacts = {
  sections: {
    authentication: { title: 'Authentication', address: 'https://developers.monnify.com/api#authentication' },
    open: { title: 'Initialize Transaction', address: 'https://developers.monnify.com/api#initialize-transaction' },
    verify: {
      title: 'Transaction status',
      address: 'https://developers.monnify.com/docs/collections/transaction-status',
    },
    testCards: { title: 'Sandbox Test Cards', address: 'https://developers.monnify.com/docs/test-cards' },
    refund: { title: 'Refunds', address: 'https://developers.monnify.com/docs/collections/refunds' },
    refundStates: { title: 'Refunds', address: 'https://developers.monnify.com/docs/collections/refunds' },
    payments: { title: 'Search transactions', address: 'https://developers.monnify.com/api' },
    refunds: { title: 'Refunds', address: 'https://developers.monnify.com/docs/collections/refunds' },
    webhooks: {
      title: 'Webhooks, Computing the hash',
      address: 'https://developers.monnify.com/docs/webhooks#computing-the-hash',
    },
    errors: { title: 'API reference', address: 'https://developers.monnify.com/api' },
  },
  testCard: '4111 1111 1111 1111, CVV 123, any expiry to come',
  tooSmall: 19n,
  unknownReference: 'not_found',
  notPossible: {},
};
