import { returnTo } from '../checkout/moves.ts';
import { commonFaults, settlementFaults } from '../faults/faults.ts';
import type { Charge, Checkout, Refund, Settlement } from '../ledger/records.ts';
import { authenticateByToken } from '../server/authenticate.ts';
import { json, textField } from '../server/router.ts';
import type { GatewaySpec, RefusedKey, ReturnOutcome, Simulator, TestCard, WebhookEvent } from '../simulator.ts';
import { signedBy } from '../webhooks/announce.ts';
import { paymentRoutes, refundRoutes } from './payment-routes.ts';
import { settledRows, settlementReference, settlementRoutes } from './settlement-routes.ts';
import {
  monnifyFee,
  paymentStatus,
  presentNotice,
  problem,
  refundReference,
  refundStatus,
  slashTime,
  transactionReference,
} from './wire.ts';

const approved = {
  steps: [],
  outcome: 'success',
  message: 'Approved',
  refund: 'processed',
  expiry: '10/27',
  cvv: '123',
} as const;

/** Monnify's test cards; any expiry in the future is taken. */
const monnifyCards: readonly TestCard[] = [
  { ...approved, name: 'Success without OTP', number: '4111111111111111', brand: 'visa' },
  {
    ...approved,
    name: 'Success with PIN and OTP',
    number: '5060995994247093',
    expiry: '12/27',
    brand: 'verve',
    steps: ['pin', 'otp'],
    pin: '1234',
    otp: '123456',
  },
  { ...approved, name: 'Success with 3D Secure', number: '4000000000000002', expiry: '12/27', brand: 'visa', steps: ['bank'] },
  {
    ...approved,
    name: 'Declined',
    number: '4111111111111110',
    brand: 'visa',
    outcome: 'failed',
    message: 'Transaction declined',
  },
];

const demoContract = '1000000001';

/** The simulator of Monnify: naira, a token in exchange for two keys, references with pipes, a signature over the whole body. */
export const monnify: GatewaySpec = {
  name: 'monnify',
  title: 'Monnify',
  unit: 'naira',
  unitsPerMain: 1,
  decimals: 2,
  look: {
    light: { accent: '#2345a8', accentSoft: '#e8edfa' },
    dark: { accent: '#9db4f5', accentInk: '#0b1738', accentSoft: '#1d2a52' },
  },
  apiPath: '',
  accountFields: {
    apiKey: { pattern: /^MK_(TEST|PROD)_\w{4,100}$/, rule: 'must look like MK_TEST_… or MK_PROD_…' },
    secretKey: { pattern: /^\w{8,100}$/, rule: 'must be 8 to 100 letters and digits' },
    contractCode: { pattern: /^\d{6,20}$/, rule: 'must be 6 to 20 digits' },
  },
  keyField: 'apiKey',
  credentialsFor: (holder) => ({
    apiKey: `MK_TEST_SANDBOX${holder.toUpperCase()}`,
    secretKey: `SANDBOXMONNIFYSECRET${holder.toUpperCase()}`,
    contractCode: demoContract,
  }),
  authenticate: authenticateByToken,
  faults: [...commonFaults, ...settlementFaults, 'expired_token'],
  checkoutPath: '/checkout',
  cards: monnifyCards,
  unknownCard: 'Card not recognised in test mode',
  routes: [...paymentRoutes, ...refundRoutes, ...settlementRoutes],
  example: (address) => `TOKEN=$(curl -s -X POST -u MK_TEST_SANDBOXDEMO:SANDBOXMONNIFYSECRETDEMO \\
  ${address}/api/v1/auth/login | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')
curl ${address}/api/v1/merchant/transactions/init-transaction -H "Authorization: Bearer $TOKEN" \\
  -d '{"amount":1000,"customerName":"Ada Obi","customerEmail":"ada@example.com","paymentReference":"order-1",
       "paymentDescription":"Order 1","currencyCode":"NGN","contractCode":"${demoContract}"}'`,
  errors: {
    unauthorised: (why) => problem(401, unauthorisedMessages[why]),
    unknownPath: (method, path) => problem(404, `No handler found for ${method} ${path}`),
    tooLarge: () => problem(413, 'Request body is too large'),
    internal: () => problem(500, 'Unable to process request'),
    rateLimited: (seconds) =>
      json(
        429,
        { requestSuccessful: false, responseMessage: 'Too many requests', responseCode: '99' },
        { 'retry-after': String(seconds) },
      ),
    timedOut: () => problem(504, 'Request timed out'),
  },
  referenceIn: (request) => request.query.get('paymentReference') ?? textField(request.body, 'paymentReference'),
  statusOf: paymentStatus,
  transactionIs: 'checkout',
  transactionId: transactionReference,
  returnAddress,
  chargeEvent,
  refundEvent,
  settlementEvent,
  refundsFromWallet: true,
  settlementFee: monnifyFee,
  reverses: true,
  ...signedBy('monnify-signature', { algorithm: 'sha512', secret: ({ credentials }) => credentials.secretKey ?? '' }),
};

const unauthorisedMessages: Readonly<Record<RefusedKey, string>> = {
  missing: 'Full authentication is required to access this resource',
  malformed: 'Full authentication is required to access this resource',
  unknown: 'Invalid credentials',
  expired: 'Access token expired',
};

/** However the customer leaves, the address gets the merchant's reference and nothing else. */
function returnAddress(checkout: Checkout, _outcome: ReturnOutcome): string | null {
  return returnTo(checkout, { paymentReference: checkout.reference });
}

/** Only money that arrived has a webhook. */
function chargeEvent(simulator: Simulator, checkout: Checkout, charge: Charge): WebhookEvent | null {
  if (charge.status !== 'success') return null;
  const name = 'SUCCESSFUL_TRANSACTION';
  return { name, body: { eventType: name, eventData: presentNotice(simulator, checkout, charge) } };
}

/** Only a refund's end has a webhook. */
function refundEvent(_simulator: Simulator, refund: Refund, checkout: Checkout): WebhookEvent | null {
  if (refund.status !== 'processed' && refund.status !== 'failed') return null;
  const name = refund.status === 'processed' ? 'SUCCESSFUL_REFUND' : 'FAILED_REFUND';
  const eventData = {
    merchantReason: refund.merchantNote ?? 'Refund',
    transactionReference: transactionReference(checkout),
    completedOn: slashTime(refund.updatedAt),
    refundStatus: refundStatus(refund),
    customerNote: refund.customerNote ?? '',
    createdOn: slashTime(refund.createdAt),
    refundReference: refundReference(refund),
    refundAmount: refund.amount,
  };
  return { name, body: { eventType: name, eventData } };
}

/** Monnify announces each payout with the payments in it. */
function settlementEvent(simulator: Simulator, settlement: Settlement): WebhookEvent {
  const name = 'SETTLEMENT';
  const transactions = settledRows(simulator, settlement);
  const eventData = {
    amount: settlement.net.toFixed(2),
    settlementTime: slashTime(settlement.createdAt),
    settlementReference: settlementReference(settlement),
    destinationAccountNumber: '6000000249',
    destinationBankName: 'Fidelity Bank',
    destinationAccountName: 'Sandbox Merchant',
    transactionsCount: transactions.length,
    transactions,
  };
  return { name, body: { eventType: name, eventData } };
}
