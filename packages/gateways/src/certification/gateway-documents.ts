import type { GatewayName } from '../names.ts';
import { CHECKS, type CheckId, checkIds, type Topic } from './check-list.ts';

/** A section of a gateway's documentation. */
interface DocumentSection {
  readonly title: string;
  readonly address: string;
}

/** Facts of a gateway that the certification needs beside its connector: from its documentation, never from a simulator. */
export interface GatewayDocument {
  readonly sections: Readonly<Record<Topic, DocumentSection>>;
  /** A published test card that is approved, as a person types it. */
  readonly testCard: string;
  /** An amount of whole naira that has to be refused: the one below the published minimum, or nothing at all. */
  readonly tooSmall: bigint;
  /** Failure of a look-up of a reference that was never opened; `not_paid_yet` where there is no transaction before a customer begins. */
  readonly unknownReference: 'not_found' | 'not_paid_yet';
  /** Checks that the gateway's documentation makes impossible, and why. */
  readonly notPossible: Readonly<Partial<Record<CheckId, string>>>;
}

const squadDocs = 'https://github.com/HabariPay/habaripay.github.io/blob/4f940a0b28a4f10622e74e159ee8ef87034e32d5';
const flutterwaveNode = 'https://github.com/Flutterwave/Node-v3/blob/537f9f4455f922a879e4f088cf0f596621c3517c/documentation';
const noRefundCalls = 'Squad documents the call that requests a refund, and none that shows or lists refunds.';

/** Each gateway's document. */
export const gatewayDocuments: Readonly<Record<GatewayName, GatewayDocument>> = {
  paystack: {
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
  },
  flutterwave: {
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
      payments: { title: 'Get all transactions', address: `${flutterwaveNode}/transactions.md#get-all-transactions` },
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
  },
  monnify: {
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
  },
  squad: {
    sections: {
      authentication: { title: 'Initiate payment', address: `${squadDocs}/src/data/PaymentDocs/data.js#initiatePaymentResponse` },
      open: { title: 'Initiate payment', address: `${squadDocs}/src/data/PaymentDocs/data.js#initiatePaymentApi` },
      verify: {
        title: 'Verify transaction, Response data object',
        address: `${squadDocs}/docs/Payments/verify-transaction.mdx#response-data-object`,
      },
      testCards: { title: 'Test Cards', address: `${squadDocs}/docs/Payments/test-cards.mdx` },
      refund: { title: 'Refund API, Partial refund', address: `${squadDocs}/docs/Others/refund-api.mdx#partial-refund` },
      refundStates: { title: 'Refund API', address: `${squadDocs}/docs/Others/refund-api.mdx` },
      payments: {
        title: 'Query all transactions',
        address: `${squadDocs}/src/data/PaymentDocs/data.js#queryAllTransactionsResponse`,
      },
      refunds: { title: 'Refund API', address: `${squadDocs}/docs/Others/refund-api.mdx` },
      webhooks: { title: 'Signature validation', address: `${squadDocs}/docs/webhook-direct-url/signature-validation.mdx` },
      errors: { title: 'Verify transaction', address: `${squadDocs}/src/data/PaymentDocs/data.js#verifyTransactionResponse` },
    },
    testCard: '5200 0000 0000 0007, any CVV, any expiry to come',
    tooSmall: 0n,
    unknownReference: 'not_paid_yet',
    notPossible: { refund_states: noRefundCalls, list_refunds: noRefundCalls },
  },
  kora: {
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
  },
  interswitch: {
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
  },
};

/** A check of a gateway. */
export interface PlannedCheck {
  readonly id: CheckId;
  readonly title: string;
  /** The section of the gateway's documentation that it tests. */
  readonly section: DocumentSection;
  /** Checks that have to pass before it. */
  readonly needs: readonly CheckId[];
  /** Why it cannot be made, or null where it can. */
  readonly notPossible: string | null;
}

/** The checks of a gateway, in the order in which they are made. */
export function planCertification(gateway: GatewayName): readonly PlannedCheck[] {
  const { sections, notPossible } = gatewayDocuments[gateway];
  return checkIds.map((id) => {
    const { title, topic, needs } = CHECKS[id];
    return { id, title, section: sections[topic], needs, notPossible: notPossible[id] ?? null };
  });
}
