import { z } from 'zod';
import { returnTo } from '../checkout/moves.ts';
import { commonFaults } from '../faults/faults.ts';
import type { Charge, Checkout, Refund } from '../ledger/records.ts';
import { authenticateByKey } from '../server/authenticate.ts';
import { json, textField } from '../server/router.ts';
import type { GatewaySpec, RefusedKey, Simulator, TestCard, WebhookEvent } from '../simulator.ts';
import { signedBy } from '../webhooks/announce.ts';
import { chargeRoutes, refundRoutes } from './charge-routes.ts';
import { koraFee, koraStatus, presentEvent, presentRefundEvent, problem } from './wire.ts';

const approved = { steps: [], outcome: 'success', message: 'Successful', refund: 'processed', expiry: '09/30' } as const;

/** Kora's documented test cards, then cards of the sandbox's own for what the documentation has none for. */
const koraCards: readonly TestCard[] = [
  { ...approved, name: 'Success', number: '4084127883172787', cvv: '123', brand: 'visa' },
  {
    ...approved,
    name: 'Success with PIN',
    number: '5130000052131820',
    cvv: '419',
    expiry: '12/32',
    brand: 'mastercard',
    steps: ['pin'],
    pin: '0000',
  },
  // From here on the numbers are the sandbox's own.
  {
    ...approved,
    name: 'Success with PIN and OTP',
    number: '5060665000000006',
    cvv: '123',
    brand: 'verve',
    steps: ['pin', 'otp'],
    pin: '1234',
    otp: '123456',
  },
  { ...approved, name: 'Success with 3D Secure', number: '5399665000000032', cvv: '123', brand: 'mastercard', steps: ['bank'] },
  {
    ...approved,
    name: 'Declined',
    number: '4060665000000017',
    cvv: '123',
    brand: 'visa',
    outcome: 'failed',
    message: 'Transaction declined by issuer',
  },
  {
    ...approved,
    name: 'Insufficient funds',
    number: '4060665000000025',
    cvv: '123',
    brand: 'visa',
    outcome: 'failed',
    message: 'Insufficient funds',
  },
  { ...approved, name: 'Success, refund fails', number: '4060665000000041', cvv: '123', brand: 'visa', refund: 'failed' },
];

/** The simulator of Kora: naira, everything under the merchant's references, webhooks about success, a signature over `data` alone. */
export const kora: GatewaySpec = {
  name: 'kora',
  title: 'Kora',
  unit: 'naira',
  unitsPerMain: 1,
  decimals: 2,
  look: {
    light: { accent: '#1d6b45', accentSoft: '#e4f2ea' },
    dark: { accent: '#7dd3a5', accentInk: '#05261a', accentSoft: '#133325' },
  },
  apiPath: '/merchant/api/v1',
  accountFields: {
    secretKey: { pattern: /^sk_(test|live)_[\w-]{4,200}$/, rule: 'must start with sk_test_ or sk_live_' },
    overpayments: {
      pattern: /^(accepted|returned)$/,
      rule: 'must be accepted or returned',
      optional: true,
      shown: true,
    },
  },
  keyField: 'secretKey',
  credentialsFor: (holder) => ({ secretKey: `sk_test_sandbox_kora_${holder}` }),
  authenticate: authenticateByKey,
  faults: commonFaults,
  checkoutPath: '/checkout',
  cards: koraCards,
  unknownCard: 'Card not supported in test mode',
  routes: [...chargeRoutes, ...refundRoutes],
  example: (address) => `curl ${address}/merchant/api/v1/charges/initialize \\
  -H 'Authorization: Bearer sk_test_sandbox_kora_demo' \\
  -d '{"amount":1000,"currency":"NGN","reference":"order-0001","customer":{"email":"ada@example.com"}}'`,
  errors: {
    unauthorised: (why) => problem(401, refusalOf(why)),
    unknownPath: (method, path) => problem(404, `Cannot ${method} ${path}`),
    tooLarge: () => problem(413, 'Request body is too large'),
    internal: () => problem(500, 'Internal Server Error'),
    rateLimited: (seconds) =>
      json(429, { status: false, message: 'Too many requests', data: null }, { 'retry-after': String(seconds) }),
    timedOut: () => problem(504, 'Gateway Timeout'),
  },
  referenceIn: (request) =>
    textField(request.body, 'payment_reference') ??
    (request.path.includes('/charges/') ? (request.params.reference ?? textField(request.body, 'reference')) : null),
  statusOf: koraStatus,
  transactionIs: 'checkout',
  transactionId: (checkout) => checkout.reference,
  lookupFee: koraFee,
  returnAddress,
  chargeEvent,
  refundEvent,
  // A change outside `data`, such as another event, leaves the signature right.
  ...signedBy('x-korapay-signature', { algorithm: 'sha256', secret: ({ key }) => key, over: signedText }),
};

function refusalOf(why: RefusedKey): string {
  return why === 'missing' ? 'Authorization key is required' : 'Invalid authorization key';
}

const hookSchema = z.object({ data: z.json() });

/** The JSON of `data` alone, as it stands in the body: both are what `JSON.stringify` writes. */
function signedText(body: string): string {
  const parsed: unknown = JSON.parse(body);
  return JSON.stringify(hookSchema.parse(parsed).data);
}

/** The customer comes back with the same query, whether the payment is made or the page was closed. */
function returnAddress(checkout: Checkout): string | null {
  return returnTo(checkout, { reference: checkout.reference });
}

/** Only the success of a hosted page has a webhook. */
function chargeEvent(_simulator: Simulator, checkout: Checkout, charge: Charge): WebhookEvent | null {
  if (charge.status !== 'success') return null;
  return { name: 'charge.success', body: { event: 'charge.success', data: presentEvent(checkout, charge) } };
}

/** Only at the end of a refund. */
function refundEvent(_simulator: Simulator, refund: Refund, checkout: Checkout): WebhookEvent | null {
  if (refund.status !== 'processed' && refund.status !== 'failed') return null;
  const name = refund.status === 'processed' ? 'refund.success' : 'refund.failed';
  return { name, body: { event: name, data: presentRefundEvent(refund, checkout) } };
}
