import type { DisputeSupport, PublishedFees, PublishedSettlement } from '../gateway.ts';

/**
 * Values that Paystack's documentation leaves out or contradicts. Each value is a working assumption, gathered here so that an
 * observation of the live service is one changed line.
 */
export const settings = {
  /** Smallest amount in naira. Published nowhere; the service refuses less. */
  minAmount: 50,
  /** Statuses an unknown reference was seen under. The message or code decides, not the status alone. */
  notFound: {
    statuses: [400, 404],
    codes: ['transaction_not_found', 'refund_not_found', 'not_found'],
    message: /not found/i,
  },
  refusals: { duplicate_reference: { codes: ['duplicate_reference'], message: /duplicate transaction reference/i } },
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

/** One working day after the payment, for businesses in Nigeria; holidays are not listed. */
export const publishedSettlement: PublishedSettlement = {
  workingDays: 1,
  source: 'https://paystack.com/blog/product/payouts-on-demand',
};

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
