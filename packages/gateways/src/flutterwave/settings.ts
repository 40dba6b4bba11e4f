import type { CertificationFacts, DisputeSupport, PublishedFees, PublishedSettlement, TransferRules } from '../gateway.ts';

/** Name as people write it. */
export const title = 'Flutterwave';

/**
 * Values that Flutterwave's documentation leaves out or contradicts. Each value is a working assumption, gathered here so that
 * an observation of the live service is one changed line.
 */
export const settings = {
  /** Smallest amount in naira. Published nowhere. */
  minAmount: 100,
  /** Longest session the service takes, in minutes. */
  maxSessionMinutes: 1440,
  /** Lists filter by day in an undocumented zone; Lagos' days begin this much before UTC's. Both are requested. */
  dayMayBeginEarlierMs: 3_600_000,
} as const;

/** Settings that an account needs on Flutterwave's dashboard, and that no call shows. */
export const dashboardSettings: readonly string[] = [
  // "For payment_options to work, you need to uncheck Enable Dashboard Payment Options on your Account Settings"
  // (https://developer.flutterwave.com/docs/collecting-payments/payment-methods).
  'Uncheck "Enable Dashboard Payment Options" in the account settings: else the checkout offers every method that is enabled there, also where the order names one.',
  "Switch refund webhooks on beside the webhook's address: they are off by default, and refunds are then found by asking alone.",
];

/** The price for local payments in naira. */
export const publishedFees: readonly PublishedFees[] = [
  {
    title: 'Flutterwave, local payments',
    schedule: { percentBasisPoints: 140, flat: 0, flatWaivedBelow: null, cap: 2_000, vatBasisPoints: 750 },
    note: 'Newer price lists say 2%. The stamp duty of NGN 50 above NGN 10,000 is not counted.',
  },
];

/** Our word for a method → the payment option to pass to Flutterwave's checkout. */
export const optionOf: Readonly<Record<string, string>> = {
  CARD: 'card',
  BANK: 'account',
  TRANSFER: 'banktransfer',
  USSD: 'ussd',
  WALLET: 'opay',
  QR: 'nqr',
};

/** The type of a payment → our word for it. */
export const methodOf: Readonly<Record<string, string>> = {
  card: 'CARD',
  account: 'BANK',
  debit_ng_account: 'BANK',
  account_ng: 'BANK',
  bank_transfer: 'TRANSFER',
  banktransfer: 'TRANSFER',
  ussd: 'USSD',
  opay: 'WALLET',
  nqr: 'QR',
  qr: 'QR',
  mobilemoney: 'MOBILE_MONEY',
};

/** Local payments in Nigeria; international ones are paid out after five days. */
export const publishedSettlement: PublishedSettlement = {
  workingDays: 1,
  source: 'https://flutterwave.com/us/support/payments/settlement-schedule',
};

/** "Chargebacks", https://developer.flutterwave.com/docs/payment-operations/chargebacks: without an answer it is lost. */
export const disputeSupport: DisputeSupport = {
  // https://developer.flutterwave.com/docs/payment-operations/chargebacks
  answerWithin: { kind: 'working_hours', local: 10, international: 30 },
  unanswered: 'lost',
  source: 'https://developer.flutterwave.com/docs/payment-operations/chargebacks',
  responses: ['accept', 'contest'],
  evidenceFor: ['contest'],
  customerFor: [],
  partial: false,
};

const pages = 'https://github.com/Flutterwave/Node-v3/blob/537f9f4455f922a879e4f088cf0f596621c3517c/documentation';

/** No page says what becomes of such transfers at a checkout. */
export const transfers: TransferRules = {
  another_amount: { end: 'not_published', shownBy: null, section: null },
  late: { end: 'not_published', shownBy: null, section: null },
  again: { end: 'not_published', shownBy: null, section: null },
};

/** From its documentation, never from a simulator. */
export const certification: CertificationFacts = {
  sections: {
    authentication: { title: 'Checkout', address: 'https://developer.flutterwave.com/reference/checkout' },
    open: { title: 'Checkout', address: 'https://developer.flutterwave.com/reference/checkout' },
    verify: { title: 'Verify transaction', address: 'https://developer.flutterwave.com/reference/verify-transaction' },
    testCards: {
      title: 'Testing, Cards',
      address: 'https://developer.flutterwave.com/docs/integration-guides/testing-helpers',
    },
    refund: { title: 'Refunds', address: 'https://developer.flutterwave.com/docs/payment-operations/refunds' },
    refundStates: {
      title: 'Refunds, Refund statuses',
      address: 'https://developer.flutterwave.com/docs/payment-operations/refunds#refund-statuses',
    },
    payments: { title: 'Get all transactions', address: `${pages}/transactions.md#get-all-transactions` },
    refunds: { title: 'Get all refunds', address: 'https://developer.flutterwave.com/v3.0.0/reference/get-all-refunds' },
    webhooks: {
      title: 'Webhooks, Verifying webhook signatures',
      address: 'https://developer.flutterwave.com/docs/webhooks#verifying-webhook-signatures',
    },
    errors: { title: 'Verify transaction', address: 'https://developer.flutterwave.com/reference/verify-transaction' },
  },
  testCard: '5531 8866 5214 2950, CVV 564, 09/32, PIN 3310, one-time code 12345',
  tooSmall: 0n,
  unknownReference: 'not_paid_yet',
  notPossible: {
    duplicate_reference: 'Flutterwave takes a tx_ref again when a link is made, and refuses it once the first was paid.',
    paging: 'Flutterwave documents no size of the pages of its list, and a page has up to a hundred payments.',
  },
};
