import type { CertificationFacts, DisputeSupport, PublishedFees, PublishedSettlement, TransferRules } from '../gateway.ts';

/**
 * Values that Squad's documentation leaves out or contradicts. Each value is a working assumption, gathered here so that an observation of
 * the live service is one changed line.
 */
export const settings = {
  /** Smallest amount in naira; none is published. */
  minAmount: 1,
  /** Parameters the customer may come back with: the documentation says "as a query param" and no name. */
  returnParameters: ['reference', 'transaction_ref', 'trxref'],
  /** Most rows of a page that are requested. The list has no number of pages, so it is read until a page is empty. */
  rowsPerPage: 100,
  /** `perPage` in one edition of the documentation, `perpage` in another. */
  pageSizeParameter: 'perPage',
  /** Zone of the times that come without one. */
  zoneOfTimes: 'Z',
  /** Webhooks about transfers name no currency: accounts are in naira. */
  transferCurrency: 'NGN',
  /** Times before this year are placeholders, such as `0001-01-01T00:00:00`. */
  firstYear: 2019,
} as const;

/** Notes on Squad's dashboard for an account, which no call shows. */
export const dashboardSettings: readonly string[] = [
  'Squad answers no questions about refunds: three days after one was accepted it needs attention, and what became of it is recorded from its dashboard.',
];

/** Public claims differ: agreements decide. */
export const publishedFees: readonly PublishedFees[] = [
  {
    title: 'Squad, local cards and transfers',
    schedule: { percentBasisPoints: 100, flat: 0, flatWaivedBelow: null, cap: 1_500, vatBasisPoints: 0 },
    note: '1% is what the samples of the API documentation show; other sources give 1.5% + NGN 100.',
  },
  {
    title: 'Squad, local cards at 1.5% + 100',
    schedule: { percentBasisPoints: 150, flat: 100, flatWaivedBelow: null, cap: 2_000, vatBasisPoints: 0 },
    note: null,
  },
];

/** Our word for a method → an entry of `payment_channels`. */
export const channelOf: Readonly<Record<string, string>> = {
  CARD: 'card',
  BANK: 'bank',
  TRANSFER: 'transfer',
  USSD: 'ussd',
};

/** `transaction_type` in lower case → our word for it. `Bank` is documented as the type of bank transfers. */
export const methodOf: Readonly<Record<string, string>> = {
  card: 'CARD',
  bank: 'TRANSFER',
  transfer: 'TRANSFER',
  virtualaccount: 'TRANSFER',
  ussd: 'USSD',
  merchantussd: 'USSD',
};

/** Its documentation names no day. */
export const publishedSettlement: PublishedSettlement = { workingDays: 1, source: null };

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

const pages = 'https://github.com/HabariPay/habaripay.github.io/blob/4f940a0b28a4f10622e74e159ee8ef87034e32d5';
const noRefundCalls = 'Squad documents the call that requests a refund, and none that shows or lists refunds.';

const dynamicAccounts = {
  title: 'Dynamic virtual accounts, Webhooks',
  address: `${pages}/docs/Virtual-accounts/dynamic-virtual-account-v2.mdx#webhooks`,
};

/** "Ultimately all expired and mismatched transactions will eventually be refunded." EXPIRED is also one "after a successful transaction". */
export const transfers: TransferRules = {
  another_amount: { end: 'returned', shownBy: 'MISMATCH', section: dynamicAccounts },
  late: { end: 'returned', shownBy: 'EXPIRED', section: dynamicAccounts },
  again: { end: 'returned', shownBy: 'EXPIRED', section: dynamicAccounts },
};

/** From its documentation, never from a simulator. */
export const certification: CertificationFacts = {
  sections: {
    authentication: { title: 'Initiate payment', address: `${pages}/src/data/PaymentDocs/data.js#initiatePaymentResponse` },
    open: { title: 'Initiate payment', address: `${pages}/src/data/PaymentDocs/data.js#initiatePaymentApi` },
    verify: {
      title: 'Verify transaction, Response data object',
      address: `${pages}/docs/Payments/verify-transaction.mdx#response-data-object`,
    },
    testCards: { title: 'Test Cards', address: `${pages}/docs/Payments/test-cards.mdx` },
    refund: { title: 'Refund API, Partial refund', address: `${pages}/docs/Others/refund-api.mdx#partial-refund` },
    refundStates: { title: 'Refund API', address: `${pages}/docs/Others/refund-api.mdx` },
    payments: {
      title: 'Query all transactions',
      address: `${pages}/src/data/PaymentDocs/data.js#queryAllTransactionsResponse`,
    },
    refunds: { title: 'Refund API', address: `${pages}/docs/Others/refund-api.mdx` },
    webhooks: { title: 'Signature validation', address: `${pages}/docs/webhook-direct-url/signature-validation.mdx` },
    errors: { title: 'Verify transaction', address: `${pages}/src/data/PaymentDocs/data.js#verifyTransactionResponse` },
  },
  testCard: '5200 0000 0000 0007, any CVV, any expiry to come',
  tooSmall: 0n,
  unknownReference: 'not_paid_yet',
  notPossible: { refund_states: noRefundCalls, list_refunds: noRefundCalls },
};
