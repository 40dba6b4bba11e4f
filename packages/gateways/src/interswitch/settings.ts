import type { CertificationFacts, DisputeSupport, PublishedFees, PublishedSettlement, TransferRules } from '../gateway.ts';

/** A part of Interswitch's API. Each has a host of its own. */
export type Service = 'passport' | 'collections' | 'paymentGateway' | 'searchPassport' | 'search';

/**
 * Values that Interswitch's documentation leaves out or contradicts. Each value is a working assumption, gathered here so that an
 * observation of the live service is one changed line.
 */
export const settings = {
  /**
   * Hosts as the documentation gives them: "Web Checkout" the live one of look-ups, "Authentication" the live passport, "Get Access Token"
   * of the transaction search (https://docs.interswitchgroup.com/docs/transactionapi-authentication) a passport of its own. None names a
   * live host of Pay Bill, refunds and the search: those are null, and a live account has to be given what Interswitch confirms. An
   * account with a base address of its own has all services there.
   */
  hosts: {
    test: {
      passport: 'https://passport.k8.isw.la',
      collections: 'https://qa.interswitchng.com',
      paymentGateway: 'https://qa.interswitchng.com',
      searchPassport: 'https://passport-v2.k8.isw.la',
      search: 'https://switch-online-gateway-service.k9.isw.la',
    },
    live: {
      passport: 'https://passport.interswitchng.com',
      collections: 'https://webpay.interswitchng.com',
      paymentGateway: null,
      searchPassport: null,
      search: null,
    },
  } satisfies Readonly<Record<'test' | 'live', Readonly<Record<Service, string | null>>>>,
  /** Interswitch's own domain, below which a confirmed host must be: no account can aim calls anywhere else. */
  liveDomain: 'interswitchng.com',
  confirmedSubdomain: /^(|[a-z0-9-]{1,60}(\.[a-z0-9-]{1,60}){0,3})$/,
  /** Smallest amount in naira. Published nowhere. */
  minAmount: 100,
  /** How long a token is used whose answer does not say how long it lives. */
  tokenLifetimeSeconds: 600,
  /** The `code` of a bill that was made. */
  billMadeCode: '200',
  /** The code by which a customer's return says that they cancelled. */
  cancelledCode: 'Z6',
  /**
   * Z1 covers every refusal, "more details will be provided in the ResponseDescription" (docbase, Response Codes), and also the look-up
   * of another amount than the transaction's, of which nothing is known then.
   */
  generalCode: 'Z1',
  amountMismatchMessage: /amount/i,
  /**
   * Times come without a zone, and are taken as Lagos'. The search documents days alone: it is asked for those that a period touches in
   * Lagos or in UTC, whichever it means.
   */
  zone: '+01:00',
  zoneOffsetMs: 3_600_000,
  /** Most that the search gives. */
  paymentsPerPage: 20,
  refundsPerPage: 50,
  /** Codes of a search that was carried out: found, or nothing found. */
  searchedCodes: ['202', '404'],
  /** Documented as "get refund by merchant code and date", without its address or its parameters. */
  refundListPath: '/paymentgateway/api/v1/refunds',
} as const;

/** The account's field with the address of a service that the documentation names no live host of, and what people call it. */
export const addressFields: Readonly<Partial<Record<Service, { readonly field: string; readonly title: string }>>> = {
  paymentGateway: { field: 'payBillPrefix', title: 'Live subdomain of Pay Bill and refunds' },
  searchPassport: { field: 'searchPassportPrefix', title: "Live subdomain of the search's passport" },
  search: { field: 'searchPrefix', title: 'Live subdomain of the transaction search' },
};

/** Requirements of an account on Interswitch's side that no call shows. */
export const dashboardSettings: readonly string[] = [
  'Interswitch publishes no live address of Pay Bill, refunds and the transaction search: a live account uses the ones that Interswitch confirmed and that are entered in its settings, and opens no checkout without.',
];

/** The price for local payments in naira. */
export const publishedFees: readonly PublishedFees[] = [
  {
    title: 'Interswitch, local payments',
    schedule: { percentBasisPoints: 150, flat: 0, flatWaivedBelow: null, cap: 2_000, vatBasisPoints: 0 },
    note: 'From an older price list.',
  },
];

/** The bill's page offers all of these, and cannot be limited to one. */
export const methods: readonly string[] = ['CARD', 'TRANSFER', 'USSD', 'QR', 'WALLET'];

/** The channel of a payment → our word for it. Its values are documented nowhere. */
export const methodOf: Readonly<Record<string, string>> = {
  CARD: 'CARD',
  TRANSFER: 'TRANSFER',
  BANK_TRANSFER: 'TRANSFER',
  USSD: 'USSD',
  QR: 'QR',
  WALLET: 'WALLET',
};

/** ISO 4217 numbers → codes. Answers without one are about naira, as every bill is. */
export const currencyOf: Readonly<Record<string, string>> = { '566': 'NGN', '840': 'USD' };

/** Its documentation names no day. */
export const publishedSettlement: PublishedSettlement = { workingDays: 1, source: null };

/** Disputes are in Arbiter, which is for banks (https://docs.interswitchgroup.com/reference/get-dispute). */
export const disputeSupport: DisputeSupport = {
  answerWithin: null,
  unanswered: null,
  source: 'https://docs.interswitchgroup.com/reference/get-dispute',
  responses: [],
  evidenceFor: [],
  customerFor: [],
  partial: true,
};

/** No page says what becomes of such transfers. A look-up of another amount answers Z1. */
export const transfers: TransferRules = {
  another_amount: { end: 'not_published', shownBy: null, section: null },
  late: { end: 'not_published', shownBy: null, section: null },
  again: { end: 'not_published', shownBy: null, section: null },
};

/** From its documentation, never from a simulator. */
export const certification: CertificationFacts = {
  sections: {
    authentication: { title: 'Authentication', address: 'https://docs.interswitchgroup.com/docs/authentication' },
    open: { title: 'Pay Bill', address: 'https://docs.interswitchgroup.com/docs/pay-bill' },
    verify: {
      title: 'Web Checkout, Confirm transaction status',
      address: 'https://docs.interswitchgroup.com/docs/web-checkout#confirm-transaction-status',
    },
    testCards: { title: 'Test Cards', address: 'https://docs.interswitchgroup.com/docs/test-cards' },
    refund: { title: 'Refunds', address: 'https://docs.interswitchgroup.com/docs/refunds' },
    refundStates: { title: 'Refunds, Refund status', address: 'https://docs.interswitchgroup.com/docs/refunds#refund-status' },
    payments: { title: 'Quick Search', address: 'https://docs.interswitchgroup.com/docs/quick-search' },
    refunds: { title: 'Refunds', address: 'https://docs.interswitchgroup.com/docs/refunds' },
    webhooks: { title: 'Webhooks', address: 'https://docs.interswitchgroup.com/docs/webhooks' },
    errors: { title: 'Payment Response Codes', address: 'https://docs.interswitchgroup.com/docs/payment-response-codes' },
  },
  testCard: '5060 9905 8000 0217 499, CVV 111, 03/50',
  tooSmall: 0n,
  unknownReference: 'not_paid_yet',
  notPossible: {},
};
