import { createHmac } from 'node:crypto';
import { returnTo } from '../checkout/moves.ts';
import { commonFaults } from '../faults/faults.ts';
import type { Account, Charge, Checkout, Hook } from '../ledger/records.ts';
import { decisiveCharge } from '../ledger/records.ts';
import { json, parseJson } from '../server/router.ts';
import type { GatewaySpec, ReturnOutcome, Simulator, TestCard, WebhookEvent } from '../simulator.ts';
import { authenticateBusiness, checkoutRoutes, transactionRoutes } from './routes.ts';
import { feeNaira, orderId, orderReferenceIn, presentEvent, problem, transactionId, transactionStatus } from './wire.ts';

const approved = {
  steps: [],
  outcome: 'success',
  message: 'Approved by Financial Institution',
  refund: 'processed',
  expiry: '12/30',
  cvv: null,
} as const;

/** Nomba's test cards ("Testing" and "Sandbox Testing"): any CVV and expiry are taken. */
const nombaCards: readonly TestCard[] = [
  // Nomba documents no card that succeeds without a step; this one is the simulator's own.
  { ...approved, name: 'Success', number: '5399830000000008', brand: 'mastercard' },
  {
    ...approved,
    name: 'Success with PIN and OTP',
    number: '5434621074252808',
    brand: 'mastercard',
    steps: ['pin', 'otp'],
    pin: '1234',
    otp: '9999',
  },
  { ...approved, name: 'Success with 3D Secure', number: '4000000000002503', brand: 'visa', steps: ['bank'] },
  {
    ...approved,
    name: 'Declined',
    number: '5484497218317651',
    brand: 'mastercard',
    outcome: 'failed',
    message: 'do not honor',
  },
];

/**
 * The simulator of Nomba: naira, a token for each client, no transaction before the customer acts, references in lower case, and a signature over
 * fields of the webhook. With `lookupDelayMs` look-ups find a payment so long after its webhook.
 */
export const nomba: GatewaySpec = {
  name: 'nomba',
  title: 'Nomba',
  unit: 'naira',
  unitsPerMain: 1,
  decimals: 2,
  look: {
    light: { accent: '#8a5a00', accentSoft: '#fdf3dc' },
    dark: { accent: '#ffcc33', accentInk: '#2b1d00', accentSoft: '#3a2c0a' },
  },
  apiPath: '',
  accountFields: {
    clientId: { pattern: /^[\w-]{8,100}$/, rule: 'must be 8 to 100 letters, digits, _ or -' },
    secretKey: { pattern: /^[\x21-\x7e]{8,200}$/, rule: 'must be 8 to 200 visible characters' },
    accountId: { pattern: /^[\w-]{8,100}$/, rule: 'must be 8 to 100 letters, digits, _ or -' },
    webhookSecret: { pattern: /^[\x21-\x7e]{1,200}$/, rule: 'must be 1 to 200 visible characters', optional: true },
    lookupDelayMs: { pattern: /^\d{1,5}$/, rule: 'must be a number of milliseconds', optional: true, shown: true },
  },
  keyField: 'clientId',
  credentialsFor: (holder) => ({
    clientId: `nomba-client-${holder}`,
    secretKey: `sandbox-nomba-secret-${holder}`,
    accountId: `nomba-account-${holder}`,
    webhookSecret: `sandbox-nomba-webhooks-${holder}`,
  }),
  authenticate: authenticateBusiness,
  faults: [...commonFaults, 'expired_token'],
  checkoutPath: '/sandbox',
  cards: nombaCards,
  unknownCard: 'do not honor',
  routes: [...checkoutRoutes, ...transactionRoutes],
  example: (address) => `TOKEN=$(curl -s ${address}/v1/auth/token/issue -H 'accountId: nomba-account-demo' \\
  -d '{"grant_type":"client_credentials","client_id":"nomba-client-demo","client_secret":"sandbox-nomba-secret-demo"}' \\
  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl ${address}/v1/checkout/order -H "Authorization: Bearer $TOKEN" -H 'accountId: nomba-account-demo' \\
  -d '{"order":{"amount":1000,"currency":"NGN","customerEmail":"ada@example.com","callbackUrl":"https://shop.example"}}'`,
  errors: {
    unauthorised: () => problem(401, 'Unauthorized'),
    unknownPath: () => problem(404, 'Resource not found'),
    tooLarge: () => problem(413, 'Request body is too large'),
    internal: () => problem(500, 'Server error'),
    rateLimited: (seconds) => json(429, { code: '429', description: 'Too many requests' }, { 'retry-after': String(seconds) }),
    timedOut: () => problem(504, 'Request timed out'),
  },
  referenceIn: (request) => request.query.get('orderReference') ?? orderReferenceIn(parseJson(request.body)),
  statusOf: transactionStatus,
  transactionIs: 'charge',
  transactionId: (checkout) => {
    const charge = decisiveCharge(checkout);
    return charge === null ? null : transactionId(checkout, charge);
  },
  lookupFee: feeNaira,
  returnAddress,
  chargeEvent,
  // A payment that is reversed has a webhook, whose body no page shows.
  refundEvent: () => null,
  sign,
  signatures: [{ header: 'nomba-signature', coversBody: false }],
};

/** The fields that come back are documented nowhere. Nomba's own plug-in reads `orderId`. A failed try keeps the customer on the page. */
function returnAddress(checkout: Checkout, outcome: ReturnOutcome): string | null {
  if (outcome === 'failed') return null;
  return returnTo(checkout, { orderId: orderId(checkout), orderReference: checkout.reference });
}

/** Both outcomes of a try have a webhook. */
function chargeEvent(simulator: Simulator, checkout: Checkout, charge: Charge): WebhookEvent | null {
  const account = simulator.ledger.account(checkout.accountId);
  if (account === null) return null;
  const name = charge.status === 'success' ? 'payment_success' : 'payment_failed';
  return { name, body: presentEvent(account, checkout, charge, name) };
}

/** Eight fields of the body and the time it is sent at, joined by colons; an absent response code is empty. None without a signature key. */
function sign({ credentials }: Account, { forged, body, at }: Hook): Record<string, string> {
  const key = forged ? 'not-the-signature-key' : credentials.webhookSecret;
  if (key === undefined) return {};
  const { event_type, requestId, data } = JSON.parse(body) as ReturnType<typeof presentEvent>;
  const { merchant, transaction } = data;
  const signed = [
    event_type,
    requestId,
    merchant.userId,
    merchant.walletId,
    transaction.transactionId,
    transaction.type,
    transaction.time,
    transaction.responseCode,
    at,
  ].join(':');
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  return {
    'nomba-signature': signature,
    'nomba-sig-value': signature,
    'nomba-signature-algorithm': 'HmacSHA256',
    'nomba-signature-version': '1.0.0',
    'nomba-timestamp': at,
  };
}
