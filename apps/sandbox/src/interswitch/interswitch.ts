import { returnTo } from '../checkout/moves.ts';
import { commonFaults } from '../faults/faults.ts';
import { type Charge, type Checkout, decisiveCharge } from '../ledger/records.ts';
import { authenticateByToken } from '../server/authenticate.ts';
import { json, textField } from '../server/router.ts';
import type { GatewaySpec, ReturnOutcome, Simulator, TestCard, WebhookEvent } from '../simulator.ts';
import { signedBy } from '../webhooks/announce.ts';
import { paymentRoutes, refundRoutes } from './payment-routes.ts';
import {
  maskedCard,
  nairaCode,
  paymentReference,
  problem,
  responseOf,
  retrievalReference,
  transactionStatus,
  unauthorised,
} from './wire.ts';

const approved = { steps: [], outcome: 'success', message: 'Approved by Financial Institution', refund: 'processed' } as const;
const verve = { brand: 'verve', cvv: '111', expiry: '06/32' } as const;

/**
 * Interswitch's test cards. The expiry of the first Verve card and of its failing variants, 06/26, is over: a later one is filled in.
 * Which steps a card takes is documented for Mastercard only; those of the others are ours, one of each kind.
 */
const interswitchCards: readonly TestCard[] = [
  { ...approved, name: 'Verve', number: '5060990580000217499', cvv: '111', brand: 'verve', expiry: '03/50' },
  { ...approved, ...verve, name: 'Verve with PIN', number: '5061050254756707864', steps: ['pin'], pin: '1111' },
  {
    ...approved,
    name: 'Mastercard with PIN and OTP',
    number: '5123450000000008',
    cvv: '100',
    brand: 'mastercard',
    expiry: '01/39',
    steps: ['pin', 'otp'],
    pin: '1111',
    otp: '123456',
  },
  {
    ...approved,
    name: 'Visa with 3D Secure',
    number: '4000000000002503',
    cvv: '111',
    brand: 'visa',
    expiry: '03/50',
    steps: ['bank'],
  },
  {
    ...approved,
    ...verve,
    name: 'Insufficient funds',
    number: '5061050254756707866',
    outcome: 'failed',
    message: 'Insufficient Funds',
  },
  {
    ...approved,
    ...verve,
    name: 'Time-out',
    number: '5061050254756707865',
    outcome: 'failed',
    message: 'Issuer or Switch Inoperative',
  },
  {
    ...approved,
    ...verve,
    name: 'No record',
    number: '5061050254756707867',
    outcome: 'failed',
    message: 'No Record Found',
  },
];

/** The simulator of Interswitch, as Pay Bill: kobo, a token for each call, and the amount in each look-up. */
export const interswitch: GatewaySpec = {
  name: 'interswitch',
  title: 'Interswitch',
  unit: 'kobo',
  unitsPerMain: 100,
  decimals: 0,
  look: {
    light: { accent: '#0a5c9c', accentSoft: '#e3eef8' },
    dark: { accent: '#7fbdf0', accentInk: '#04213a', accentSoft: '#12304a' },
  },
  apiPath: '',
  accountFields: {
    clientId: { pattern: /^IKIA[0-9A-Z]{4,100}$/, rule: 'must start with IKIA, then capitals and digits' },
    secretKey: { pattern: /^[\x21-\x7e]{8,200}$/, rule: 'must be 8 to 200 visible characters' },
    merchantCode: { pattern: /^MX\d{1,12}$/, rule: 'must be MX and digits' },
    payItemId: { pattern: /^[\w-]{1,60}$/, rule: 'must be 1 to 60 letters, digits, _ or -' },
    webhookSecret: { pattern: /^[\x21-\x7e]{1,200}$/, rule: 'must be 1 to 200 visible characters', optional: true },
  },
  keyField: 'clientId',
  credentialsFor: (holder) => ({
    clientId: `IKIA${holder.toUpperCase()}`,
    secretKey: `sandbox-interswitch-secret-${holder}`,
    merchantCode: 'MX6072',
    payItemId: '9405967',
    webhookSecret: `sandbox-interswitch-webhooks-${holder}`,
  }),
  authenticate: authenticateByToken,
  faults: [...commonFaults, 'expired_token'],
  checkoutPath: '/paymentgateway/pay',
  cards: interswitchCards,
  unknownCard: 'No Record Found',
  routes: [...paymentRoutes, ...refundRoutes],
  example: (address) => `TOKEN=$(curl -s -X POST '${address}/passport/oauth/token?grant_type=client_credentials' \\
  -u IKIADEMO:sandbox-interswitch-secret-demo | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl ${address}/paymentgateway/api/v1/paybill -H "Authorization: Bearer $TOKEN" \\
  -d '{"merchantCode":"MX6072","payableCode":"9405967","amount":100000,"currencyCode":"566","customerId":"ada","redirectUrl":"https://shop.example"}'`,
  errors: {
    unauthorised,
    unknownPath: (method, path) => problem(404, '404', `Cannot ${method} ${path}`),
    tooLarge: () => problem(413, '413', 'Request body is too large'),
    internal: () => problem(500, '500', 'System Error'),
    rateLimited: (seconds) =>
      json(429, { responseCode: '429', responseDescription: 'Too many requests' }, { 'retry-after': String(seconds) }),
    timedOut: () => problem(504, '504', 'The request timed out'),
  },
  referenceIn: (request) =>
    request.query.get('transactionreference') ??
    textField(request.body, 'transactionReference') ??
    textField(request.body, 'parentTransactionReference'),
  statusOf: transactionStatus,
  transactionIs: 'charge',
  transactionId: (checkout) => {
    const charge = decisiveCharge(checkout);
    return charge === null ? null : retrievalReference(charge);
  },
  returnAddress,
  chargeEvent,
  // No webhook about refunds is documented.
  refundEvent: () => null,
  ...signedBy('x-interswitch-signature', { algorithm: 'sha512', secret: ({ credentials }) => credentials.webhookSecret }),
};

/** The browser comes back by GET with what became of the payment. */
function returnAddress(checkout: Checkout, outcome: ReturnOutcome): string | null {
  const charge = outcome === 'cancelled' ? null : decisiveCharge(checkout);
  const response = charge === null ? { code: 'Z6', description: 'Customer Cancellation' } : responseOf(charge);
  return returnTo(checkout, {
    txnref: checkout.reference,
    payRef: charge === null ? '' : `ISW|WEB|${charge.id}`,
    retRef: charge === null ? '' : retrievalReference(charge),
    cardNum: charge === null ? '' : maskedCard(charge),
    apprAmt: charge?.status === 'success' ? String(charge.amount) : '0',
    resp: response.code,
    desc: response.description,
    amount: String(checkout.amount),
  });
}

/** Completed is what cannot be tried again; a failed try on an open page is an update. */
function chargeEvent(simulator: Simulator, checkout: Checkout, charge: Charge): WebhookEvent | null {
  const account = simulator.ledger.account(checkout.accountId);
  if (account === null) return null;
  const { code, description } = responseOf(charge);
  const event = charge.status === 'success' ? 'TRANSACTION.COMPLETED' : 'TRANSACTION.UPDATED';
  return {
    name: event,
    body: {
      event,
      uuid: `isw-${charge.id}-${code}`,
      timestamp: Date.parse(charge.finishedAt ?? charge.createdAt),
      data: {
        amount: charge.amount,
        merchantReference: checkout.reference,
        paymentReference: paymentReference(account, charge),
        retrievalReferenceNumber: retrievalReference(charge),
        currencyCode: nairaCode,
        responseCode: code,
        responseDescription: description,
        channel: charge.channel === 'card' ? 'CARD' : 'TRANSFER',
        customerEmail: checkout.email,
        cardNumber: maskedCard(charge),
      },
    },
  };
}
