import { createHmac, randomBytes } from 'node:crypto';
import { returnTo } from '../checkout/moves.ts';
import { commonFaults, settlementFaults } from '../faults/faults.ts';
import { type Account, type Charge, type Checkout, decisiveCharge, type Hook, type Refund } from '../ledger/records.ts';
import { authenticateByKey } from '../server/authenticate.ts';
import { json, textField } from '../server/router.ts';
import type { GatewaySpec, ReturnOutcome, Simulator, TestCard, WebhookEvent } from '../simulator.ts';
import { chargebackEvent, chargebackRoutes } from './chargeback-routes.ts';
import { paymentRoutes, refundRoutes } from './payment-routes.ts';
import { settlementRoutes } from './settlement-routes.ts';
import {
  appFee,
  checkoutStatus,
  flwRef,
  presentCharge,
  presentCustomer,
  presentOriginator,
  problem,
  refundStatus,
} from './wire.ts';

const approved = {
  steps: [],
  outcome: 'success',
  message: 'Approved',
  refund: 'processed',
  expiry: '09/32',
  brand: 'mastercard',
} as const;

/** Flutterwave's test cards; any expiry in the future is taken, and any CVV where none is documented. */
const flutterwaveCards: readonly TestCard[] = [
  {
    ...approved,
    name: 'Success with PIN and OTP',
    number: '5531886652142950',
    cvv: '564',
    steps: ['pin', 'otp'],
    pin: '3310',
    otp: '12345',
  },
  { ...approved, name: 'Success, Verve without challenge', number: '5061460166976054667', cvv: null, brand: 'verve' },
  { ...approved, name: 'Success with 3D Secure', number: '5438898014560229', cvv: null, steps: ['bank'] },
  { ...approved, name: 'Success with 3D Secure, Visa', number: '4187427415564246', cvv: '828', brand: 'visa', steps: ['bank'] },
  {
    ...approved,
    name: 'Success with address check',
    number: '4556052704172643',
    cvv: '899',
    brand: 'visa',
    steps: ['address'],
  },
  { ...approved, name: 'Success, preauthorised', number: '5377283645077450', cvv: null },
  {
    ...approved,
    name: 'Declined',
    number: '5143010522339965',
    cvv: '276',
    outcome: 'failed',
    message: 'Do Not Honour',
  },
  {
    ...approved,
    name: 'Insufficient funds',
    number: '5258585922666506',
    cvv: '883',
    steps: ['pin'],
    pin: '3310',
    outcome: 'failed',
    message: 'Insufficient Funds',
  },
];

/** The simulator of Flutterwave v3: naira, no transaction before the customer acts, webhooks about both outcomes, a constant as signature unless chosen otherwise. */
export const flutterwave: GatewaySpec = {
  name: 'flutterwave',
  title: 'Flutterwave',
  unit: 'naira',
  unitsPerMain: 1,
  decimals: 2,
  look: {
    light: { accent: '#9a4a00', accentSoft: '#fbeee0' },
    dark: { accent: '#f2a65a', accentInk: '#2a1400', accentSoft: '#38230f' },
  },
  apiPath: '/v3',
  accountFields: {
    secretKey: { pattern: /^FLWSECK(_TEST)?-[\w-]{4,200}-X$/, rule: 'must look like FLWSECK_TEST-…-X or FLWSECK-…-X' },
    /** The word chosen on the dashboard that webhooks repeat, or that their bodies are signed with. */
    secretHash: { pattern: /^.{1,255}$/s, rule: 'must be 1 to 255 characters', optional: true },
    /** The signature that its webhooks carry; `verif-hash` unless chosen. */
    webhookSignature: {
      pattern: /^(verif-hash|flutterwave-signature)$/,
      rule: 'must be verif-hash or flutterwave-signature',
      optional: true,
      shown: true,
    },
    /** The status of a refund that is not paid out yet: `processing` unless chosen, or `completed`, as the documentation shows it. */
    refundAnswer: { pattern: /^(processing|completed)$/, rule: 'must be processing or completed', optional: true, shown: true },
  },
  keyField: 'secretKey',
  credentialsFor: (holder) => ({
    secretKey: `FLWSECK_TEST-sandboxflutterwave${holder}-X`,
    secretHash: holder === 'demo' ? 'sandbox-flutterwave-hash' : `sandbox-flutterwave-hash-${holder}`,
  }),
  authenticate: authenticateByKey,
  faults: [...commonFaults, ...settlementFaults],
  checkoutPath: '/v3/hosted/pay',
  cards: flutterwaveCards,
  unknownCard: 'Card not recognised in test mode',
  routes: [...paymentRoutes, ...refundRoutes, ...settlementRoutes, ...chargebackRoutes],
  example: (address) => `curl ${address}/v3/payments \\
  -H 'Authorization: Bearer FLWSECK_TEST-sandboxflutterwavedemo-X' \\
  -d '{"tx_ref":"order-1","amount":1000,"customer":{"email":"ada@example.com"}}'`,
  errors: {
    unauthorised: (why) => problem(401, why === 'unknown' ? 'Invalid authorization key' : 'Authorization required'),
    unknownPath: (method, path) => problem(404, `Cannot ${method} ${path}`),
    tooLarge: () => problem(413, 'Request body is too large'),
    internal: () => problem(500, 'An error occurred while processing your request', { error_id: randomBytes(8).toString('hex') }),
    rateLimited: (seconds) =>
      json(429, { status: 'error', message: 'Too many requests', data: null }, { 'retry-after': String(seconds) }),
    timedOut: () => problem(503, 'An error occurred. Please contact support'),
  },
  referenceIn: (request) => request.query.get('tx_ref') ?? textField(request.body, 'tx_ref'),
  statusOf: checkoutStatus,
  transactionIs: 'charge',
  transactionId: (checkout) => decisiveCharge(checkout)?.id ?? null,
  returnAddress,
  chargeEvent,
  refundEvent,
  disputeEvent: chargebackEvent,
  /** Ten working hours at most; by the clock, so that tests need no calendar. */
  answerHours: 24,
  settlementFee: appFee,
  signatures: [
    { header: 'verif-hash', coversBody: false },
    { header: 'flutterwave-signature', coversBody: true },
  ],
  sign,
};

/** The hash by itself is the merchant's own constant: it proves the sender and binds nothing. The newer signature covers the body. */
function sign({ credentials }: Account, hook: Hook): Record<string, string> {
  const { secretHash, webhookSignature } = credentials;
  if (webhookSignature !== 'flutterwave-signature') {
    if (hook.forged) return { 'verif-hash': 'not-the-secret-hash' };
    return secretHash === undefined ? {} : { 'verif-hash': secretHash };
  }
  const secret = hook.forged ? 'not-the-secret-hash' : secretHash;
  if (secret === undefined) return {};
  return { 'flutterwave-signature': createHmac('sha256', secret).update(hook.body).digest('base64') };
}

function returnAddress(checkout: Checkout, outcome: ReturnOutcome): string | null {
  const charge = decisiveCharge(checkout);
  const found = outcome === 'cancelled' || charge === null ? {} : { transaction_id: String(charge.id) };
  return returnTo(checkout, { status: returnStatus(outcome, charge), tx_ref: checkout.reference, ...found });
}

function returnStatus(outcome: ReturnOutcome, charge: Charge | null): string {
  if (outcome !== 'paid') return outcome;
  return charge?.channel === 'bank_transfer' ? 'completed' : 'successful';
}

function chargeEvent(simulator: Simulator, checkout: Checkout, charge: Charge): WebhookEvent | null {
  const account = simulator.ledger.account(checkout.accountId);
  if (account === null) return null;
  return {
    name: 'charge.completed',
    body: {
      event: 'charge.completed',
      data: { ...presentCharge(account, checkout, charge), customer: presentCustomer(checkout) },
      ...(charge.channel === 'bank_transfer' && { meta_data: presentOriginator(charge) }),
      'event.type': charge.channel === 'card' ? 'CARD_TRANSACTION' : 'BANK_TRANSFER_TRANSACTION',
    },
  };
}

/** Only for accounts that registered for it, only at the end, and flat: no event, no envelope. */
function refundEvent(simulator: Simulator, refund: Refund): WebhookEvent | null {
  const account = simulator.ledger.account(refund.accountId);
  const charge = simulator.ledger.charge(refund.chargeId)?.charge;
  if (account === null || charge === undefined || !account.refundWebhooks) return null;
  if (refund.status !== 'processed' && refund.status !== 'failed') return null;
  return {
    name: 'refund',
    body: {
      id: refund.id,
      AmountRefunded: refund.amount,
      status: refundStatus(account, refund, charge),
      FlwRef: flwRef(charge),
      destination: 'payment_source',
      comments: refund.merchantNote ?? '',
      settlement_id: 'NEW',
      meta: JSON.stringify({ source: 'availablebalance' }),
      createdAt: refund.createdAt,
      updatedAt: refund.updatedAt,
      deletedAt: null,
      walletId: account.number,
      AccountId: account.number,
      TransactionId: charge.id,
    },
  };
}
