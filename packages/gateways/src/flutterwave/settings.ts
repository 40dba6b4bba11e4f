import type { DisputeSupport, PublishedFees, PublishedSettlement } from '../gateway.ts';

/**
 * Values that Flutterwave's documentation leaves out or contradicts. Each value is a working assumption, gathered here so that
 * an observation of the live service is one changed line.
 */
export const settings = {
  /** Smallest amount in naira. Published nowhere. */
  minAmount: 100,
  /** Statuses "no such transaction" was seen under. The message decides, not the status. */
  notFound: {
    statuses: [200, 400, 404],
    message: /\bno transaction was found|\bnot found\b|no refund was found/i,
  },
  /** A repeated `tx_ref` is usually accepted when the link is made; where it is not, the message names the duplicate. */
  refusals: { duplicate_reference: { message: /duplicate|already (exists|been used)/i } },
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

/** Local payments in Nigeria; international ones are paid out after five days. */
export const publishedSettlement: PublishedSettlement = {
  workingDays: 1,
  source: 'https://flutterwave.com/us/support/payments/settlement-schedule',
};

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

/** "Chargebacks", https://developer.flutterwave.com/docs/payment-operations/chargebacks: without an answer it is lost. */
export const disputeSupport: DisputeSupport = {
  answerWithin: { kind: 'working_hours', local: 10, international: 30 },
  unanswered: 'lost',
  source: 'https://developer.flutterwave.com/docs/payment-operations/chargebacks',
  responses: ['accept', 'contest'],
  evidenceFor: ['contest'],
  customerFor: [],
  partial: false,
};
