import type { CertificationFacts, DisputeSupport, PublishedFees, PublishedSettlement, TransferRules } from '../gateway.ts';

/** Naira that Kora's checkout takes: bank transfer has the highest limit, cards end at NGN 1,000,000. */
export const limits = { minAmount: 100, maxAmount: 10_000_000 } as const;

/**
 * Values that Kora's documentation leaves out or contradicts. Each value is a working assumption, gathered here so that an
 * observation of the live service is one changed line.
 */
export const settings = {
  /** References that Kora makes itself. Older webhooks carry one as `reference`, and ours as `payment_reference`. */
  gatewayReference: /^KPY-/,
  /** The page on refunds allows 50 characters, the one on refunds in the sandbox 200. */
  reasonMaxLength: 50,
  /** Ten are given unless more are requested; the most that is given is not published. */
  rowsPerPage: 50,
  /** Times of lists, and of some webhooks, are written without a zone. */
  zone: 'Z',
  dayMs: 86_400_000,
  /** Should the list's period be read as Lagos' time, it ends this much earlier than written. */
  periodMayEndEarlierMs: 3_600_000,
} as const;

/** The price for local cards in naira. */
export const publishedFees: readonly PublishedFees[] = [
  {
    title: 'Kora, local cards',
    schedule: { percentBasisPoints: 150, flat: 0, flatWaivedBelow: null, cap: 2_000, vatBasisPoints: 750 },
    note: 'The only example that Kora shows is a bank transfer at 0.5%, with this VAT.',
  },
];

/** Our word for a method → the channel to pass to Kora's checkout. */
export const channelOf: Readonly<Record<string, string>> = {
  CARD: 'card',
  TRANSFER: 'bank_transfer',
  BANK: 'pay_with_bank',
};

/** The method a payment was made by → our word for it. */
export const methodOf: Readonly<Record<string, string>> = {
  card: 'CARD',
  bank_transfer: 'TRANSFER',
  virtual_bank_account: 'TRANSFER',
  pay_with_bank: 'BANK',
  mobile_money: 'MOBILE_MONEY',
};

/** Cards on the next day; bank transfers at once, which is earlier than expected and no discrepancy. */
export const publishedSettlement: PublishedSettlement = {
  workingDays: 1,
  source: 'https://developers.korapay.com/docs/local-settlements',
};

/**
 * "Chargebacks", https://developers.korapay.com/docs/chargebacks, and https://support.korapay.com/en/articles/6089927 for the hours. No list
 * is documented, and the names of all fields of an answer could not be found: it is given on Kora's dashboard.
 */
export const disputeSupport: DisputeSupport = {
  // https://support.korapay.com/en/articles/6089927
  answerWithin: { kind: 'hours', hours: 24 },
  unanswered: 'accepted',
  source: 'https://developers.korapay.com/docs/chargebacks',
  responses: [],
  evidenceFor: [],
  customerFor: [],
  partial: true,
};

const otherAmounts = {
  title: 'Handling Underpayments and Overpayments',
  address: 'https://developers.korapay.com/docs/handling-underpayments-and-overpayments',
};

/** Kora's dashboard chooses, "Return Excess" at first; `amount_accepted` is what was taken. */
export const transfers: TransferRules = {
  another_amount: { end: 'chosen', shownBy: 'amount_paid, amount_accepted', section: otherAmounts },
  late: { end: 'not_published', shownBy: null, section: null },
  again: { end: 'not_published', shownBy: null, section: null },
};

/** From its documentation, never from a simulator. */
export const certification: CertificationFacts = {
  sections: {
    authentication: { title: 'Errors', address: 'https://developers.korapay.com/docs/errors' },
    open: { title: 'Checkout Redirect', address: 'https://developers.korapay.com/docs/checkout-redirect' },
    verify: { title: 'Checkout Redirect', address: 'https://developers.korapay.com/docs/checkout-redirect' },
    testCards: { title: 'Testing your integration', address: 'https://developers.korapay.com/docs/testing-your-integration' },
    refund: { title: 'Refunds API', address: 'https://developers.korapay.com/docs/refunds-api' },
    refundStates: {
      title: 'Refunds API, Refund status',
      address: 'https://developers.korapay.com/docs/refunds-api#refund-status',
    },
    payments: { title: 'Pay-ins History API', address: 'https://developers.korapay.com/docs/pay-ins-history-api' },
    refunds: { title: 'Refunds API', address: 'https://developers.korapay.com/docs/refunds-api' },
    webhooks: {
      title: 'Webhooks, Verifying a webhook request',
      address: 'https://developers.korapay.com/docs/webhooks#verifying-a-webhook-request',
    },
    errors: { title: 'Errors', address: 'https://developers.korapay.com/docs/errors' },
  },
  testCard: '4084 1278 8317 2787, CVV 123, any expiry to come',
  tooSmall: 99n,
  unknownReference: 'not_found',
  notPossible: {},
};
