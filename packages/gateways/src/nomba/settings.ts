import type { CertificationFacts, DisputeSupport, PublishedFees, PublishedSettlement, TransferRules } from '../gateway.ts';

/**
 * Values that Nomba's documentation leaves out or contradicts. Each value is a working assumption, gathered here so that an observation of
 * the live service is one changed line.
 */
export const settings = {
  /** Smallest amount in naira. Published nowhere. */
  minAmount: 1,
  /**
   * Where checkouts are opened and refunded. "Sandbox Testing" gives the sandbox `/sandbox/checkout`; "Testing" and "Try the API" give it the
   * path of the live service, as Nomba's own WooCommerce plug-in calls it.
   */
  checkoutPath: '/v1/checkout',
  /** Rows of a page that are requested. The most that is given is not documented. */
  rowsPerPage: 50,
  /** Query parameter of the customer's return. The pages name none; Nomba's plug-in reads `orderId`, which is Nomba's own. */
  returnedReference: 'orderReference',
  /** The type of a transaction that paid a checkout, among transfers, withdrawals and purchases at terminals. */
  checkoutType: 'online_checkout',
} as const;

/** https://developer.nomba.com/docs/api-basics/webhook: nothing is sent before an event is subscribed to. */
export const dashboardSettings: readonly string[] = [
  'Subscribe the webhook to payment_success, payment_failed and payment_reversal: Nomba sends only events that are subscribed to.',
  'Nomba answers no questions about refunds: three days after one was accepted it needs attention, and what became of it is recorded from its dashboard.',
];

/** From the description of Nomba's own WooCommerce plug-in (https://wordpress.org/plugins/wc-nomba-gateway/). */
export const publishedFees: readonly PublishedFees[] = [
  {
    title: 'Nomba, local payments',
    schedule: { percentBasisPoints: 140, flat: 0, flatWaivedBelow: null, cap: 1_800, vatBasisPoints: 0 },
    note: 'International cards cost 3.9%. There are discounts from NGN 50 million a month.',
  },
];

/** Our word for a method → an entry of `allowedPaymentMethods`, those of a Nigerian checkout. */
export const methodNames: Readonly<Record<string, string>> = {
  CARD: 'Card',
  TRANSFER: 'Transfer',
  QR: 'Nomba QR',
  USSD: 'USSD',
};

/** `onlineCheckoutPaymentMethod` → our word for it. The pages show these two. */
export const methodOf: Readonly<Record<string, string>> = { card_payment: 'CARD', bank_transfer: 'TRANSFER' };

/** Payments are credited to the merchant's wallet at Nomba; its documentation names no day of a payout to a bank. */
export const publishedSettlement: PublishedSettlement = { workingDays: 1, source: null };

/**
 * Disputes are in the dashboard alone, where they can be declined automatically: Nomba then asks an address of the merchant's for a receipt.
 * "Failure to address the dispute promptly will result in the automatic debiting of your wallet for the transaction amount."
 */
export const disputeSupport: DisputeSupport = {
  // "necessitating resolution within a 24-hour timeframe": https://developer.nomba.com/products/checkout/dispute-management
  answerWithin: { kind: 'hours', hours: 24 },
  unanswered: 'lost',
  source: 'https://developer.nomba.com/products/checkout/dispute-management',
  responses: [],
  evidenceFor: [],
  customerFor: [],
  partial: true,
};

const pages = 'https://developer.nomba.com';
const noRefundCalls = 'Nomba documents the call that requests a refund, and none that shows or lists refunds.';

/** No page says what becomes of such transfers. Nomba's own plug-in holds an order that less was paid for. */
export const transfers: TransferRules = {
  another_amount: { end: 'not_published', shownBy: null, section: null },
  late: { end: 'not_published', shownBy: null, section: null },
  again: { end: 'not_published', shownBy: null, section: null },
};

/** From its documentation, never from a simulator. */
export const certification: CertificationFacts = {
  sections: {
    authentication: { title: 'Authenticate', address: `${pages}/docs/getting-started/authentication` },
    open: { title: 'Create a checkout order', address: `${pages}/docs/products/accept-payment/create-checkout-order` },
    verify: {
      title: 'Verify Transactions',
      address: `${pages}/docs/products/accept-payment/verify-transactions`,
    },
    testCards: { title: 'Testing, Test cards', address: `${pages}/docs/api-basics/testing#test-cards` },
    refund: {
      title: 'Sandbox Testing, Refund testing',
      address: `${pages}/docs/products/accept-payment/sandbox-testing#refund-testing`,
    },
    refundStates: {
      title: 'Refund checkout transaction',
      address: `${pages}/nomba-api-reference/online-checkout/refund-checkout-transaction`,
    },
    payments: {
      title: 'Fetch transactions on the parent account',
      address: `${pages}/nomba-api-reference/transactions/fetch-transactions-on-the-parent-account`,
    },
    refunds: {
      title: 'Refund checkout transaction',
      address: `${pages}/nomba-api-reference/online-checkout/refund-checkout-transaction`,
    },
    webhooks: { title: 'Webhooks', address: `${pages}/docs/api-basics/webhook` },
    errors: { title: 'Verify Transactions', address: `${pages}/docs/products/accept-payment/verify-transactions` },
  },
  // "Testing" says PIN 9999, "Sandbox Testing" 1234 and that any is taken; "Quick Sandbox Flow" has another one-time code, 123456.
  testCard: '5434 6210 7425 2808, any CVV, any expiry to come, PIN 1234, one-time code 9999',
  tooSmall: 0n,
  unknownReference: 'not_paid_yet',
  notPossible: { refund_states: noRefundCalls, list_refunds: noRefundCalls },
};
