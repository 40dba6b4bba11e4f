import type { CertificationFacts, DisputeSupport, PublishedFees, PublishedSettlement, TransferRules } from '../gateway.ts';

/** Name as people write it. */
export const title = 'Paystack';

/**
 * Values that Paystack's documentation leaves out or contradicts. Each value is a working assumption, gathered here so that an
 * observation of the live service is one changed line.
 */
export const settings = {
  /** Smallest amount in naira. Published nowhere; the service refuses less. */
  minAmount: 50,
  /** `bank.transfer.rejected` names no currency: customers pay with transfer in Nigeria alone. */
  transferCurrency: 'NGN',
  /** Most the service gives is 100; each row is some 2.5 KB, more with what a merchant attached. */
  rowsPerPage: 50,
  /** A settlement's day begins before it is created, by less than this. */
  settlementDayMs: 86_400_000,
  /** How long before a settlement the refunds were requested that it is reduced by. */
  refundsBeforeSettlementMs: 60 * 86_400_000,
  /** Hosts of the address to upload evidence to; the sample's is `s3.eu-west-1.amazonaws.com`. */
  fileHosts: ['.amazonaws.com'],
} as const;

/** The price for local cards and transfers in naira. */
export const publishedFees: readonly PublishedFees[] = [
  {
    title: 'Paystack, local cards and transfers',
    schedule: { percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 0 },
    note: 'Foreign cards cost 3.9% + NGN 100.',
  },
];

/** Our word for a method → the channel to pass to Paystack's checkout. */
export const channelOf: Readonly<Record<string, string>> = {
  CARD: 'card',
  BANK: 'bank',
  TRANSFER: 'bank_transfer',
  USSD: 'ussd',
  QR: 'qr',
};

/** The channel a payment came through → our word for it. */
export const methodOf: Readonly<Record<string, string>> = {
  card: 'CARD',
  apple_pay: 'CARD',
  bank: 'BANK',
  bank_transfer: 'TRANSFER',
  dedicated_nuban: 'TRANSFER',
  ussd: 'USSD',
  qr: 'QR',
  mobile_money: 'MOBILE_MONEY',
  direct_debit: 'DIRECT_DEBIT',
};

/** One working day after the payment, for businesses in Nigeria; holidays are not listed. */
export const publishedSettlement: PublishedSettlement = {
  workingDays: 1,
  source: 'https://paystack.com/blog/product/payouts-on-demand',
};

/** Within 16 hours; then it is accepted (https://support.paystack.com/en/articles/2125442). A file belongs to every answer. */
export const disputeSupport: DisputeSupport = {
  // https://support.paystack.com/en/articles/2125442
  answerWithin: { kind: 'hours', hours: 16 },
  unanswered: 'accepted',
  source: 'https://paystack.com/docs/payments/manage-disputes/',
  responses: ['accept', 'contest'],
  evidenceFor: ['accept', 'contest'],
  customerFor: ['contest'],
  partial: true,
};

const payWithTransfer = {
  title: 'Pay with transfer, Frequently asked questions',
  address: 'https://support.paystack.com/en/articles/2128642',
};

/**
 * "If a customer pays the wrong amount, we will automatically initiate a refund to the customer"; likewise "outside the 30-minute window", and
 * for the transfers after the first. Another amount is reported by `bank.transfer.rejected`, which names Paystack's transaction alone.
 */
export const transfers: TransferRules = {
  another_amount: { end: 'returned', shownBy: 'bank.transfer.rejected', section: payWithTransfer },
  late: { end: 'returned', shownBy: null, section: payWithTransfer },
  again: { end: 'returned', shownBy: null, section: payWithTransfer },
};

/** From its documentation, never from a simulator. */
export const certification: CertificationFacts = {
  sections: {
    authentication: { title: 'Authentication', address: 'https://paystack.com/docs/api/authentication/' },
    open: { title: 'Initialize Transaction', address: 'https://paystack.com/docs/api/transaction/#initialize' },
    verify: {
      title: 'Verify Payments, Transaction statuses',
      address: 'https://paystack.com/docs/payments/verify-payments/#transaction-statuses',
    },
    testCards: { title: 'Test Payments', address: 'https://paystack.com/docs/payments/test-payments/' },
    refund: { title: 'Create Refund', address: 'https://paystack.com/docs/api/refund/#create' },
    refundStates: {
      title: 'Refunds, Refund statuses',
      address: 'https://paystack.com/docs/payments/refunds/#refund-statuses',
    },
    payments: { title: 'List Transactions, Pagination', address: 'https://paystack.com/docs/api/pagination/' },
    refunds: { title: 'List Refunds', address: 'https://paystack.com/docs/api/refund/#list' },
    webhooks: {
      title: 'Webhooks, Signature validation',
      address: 'https://paystack.com/docs/payments/webhooks/#signature-validation',
    },
    errors: { title: 'Errors', address: 'https://paystack.com/docs/api/errors/' },
  },
  testCard: '4084 0840 8408 4081, CVV 408, any expiry to come',
  tooSmall: 0n,
  unknownReference: 'not_found',
  notPossible: {},
};
