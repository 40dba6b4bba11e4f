import { returnTo } from '../checkout/moves.ts';
import { commonFaults } from '../faults/faults.ts';
import type { Charge, Checkout } from '../ledger/records.ts';
import { authenticateByKey } from '../server/authenticate.ts';
import { json, textField } from '../server/router.ts';
import {
  type GatewaySpec,
  isoTime,
  type ReturnOutcome,
  type Simulator,
  type TestCard,
  type TransferMistake,
  type WebhookEvent,
} from '../simulator.ts';
import { signedBy } from '../webhooks/announce.ts';
import { refundRoutes, sandboxKeyPrefix, transactionRoutes } from './transaction-routes.ts';
import { chargesKobo, merchantId, presentEvent, problem, refusedKey, squadStatus } from './wire.ts';

const approved = {
  steps: [],
  outcome: 'success',
  message: 'Approved',
  refund: 'processed',
  expiry: '12/30',
  cvv: null,
} as const;

/** Squad's test cards. It documents numbers and steps; PIN and one-time code are the simulator's own. */
const squadCards: readonly TestCard[] = [
  { ...approved, name: 'Success', number: '5200000000000007', brand: 'mastercard' },
  // Squad's sandbox takes this one for less than NGN 7,500 only.
  { ...approved, name: 'Success with OTP', number: '4242424242424242', brand: 'visa', steps: ['otp'], otp: '123456' },
  { ...approved, name: 'Success with 3D Secure', number: '5200000000001096', brand: 'mastercard', steps: ['bank'] },
  {
    ...approved,
    name: 'Success with PIN and OTP',
    number: '5555555555554444',
    brand: 'mastercard',
    steps: ['pin', 'otp'],
    pin: '1234',
    otp: '123456',
  },
  // Squad documents no card that is declined; this one is the simulator's own.
  {
    ...approved,
    name: 'Declined',
    number: '4000000000000002',
    brand: 'visa',
    outcome: 'failed',
    message: 'Do not honour',
  },
];

/** The simulator of Squad's sandbox host: kobo, verify by reference, three envelopes for errors, a signature in capitals. */
export const squad: GatewaySpec = {
  name: 'squad',
  title: 'Squad',
  unit: 'kobo',
  unitsPerMain: 100,
  decimals: 0,
  look: {
    light: { accent: '#a8263f', accentSoft: '#fbe9ec' },
    dark: { accent: '#f28ca0', accentInk: '#2a070e', accentSoft: '#38141c' },
  },
  apiPath: '',
  accountFields: {
    secretKey: { pattern: /^sandbox_sk_[\w-]{4,200}$/, rule: 'must start with sandbox_sk_' },
  },
  keyField: 'secretKey',
  credentialsFor: (holder) => ({ secretKey: `${sandboxKeyPrefix}squad_${holder}` }),
  authenticate: authenticateByKey,
  faults: commonFaults,
  checkoutPath: '/pay',
  cards: squadCards,
  unknownCard: 'Card declined. Use one of the test cards',
  routes: [...transactionRoutes, ...refundRoutes],
  example: (address) => `curl ${address}/transaction/initiate \\
  -H 'Authorization: Bearer sandbox_sk_squad_demo' \\
  -d '{"email":"ada@example.com","amount":100000,"currency":"NGN","initiate_type":"inline"}'`,
  errors: {
    unauthorised: (why) =>
      why === 'missing' || why === 'malformed'
        ? refusedKey(401, '')
        : refusedKey(403, `API key is invalid. Key must start with ${sandboxKeyPrefix}`),
    unknownPath: (method, path) => problem(404, `Cannot ${method} ${path}`),
    tooLarge: () => problem(413, 'Request entity too large'),
    internal: () => problem(500, 'An error occurred'),
    rateLimited: (seconds) =>
      json(429, { status: 429, success: false, message: 'Too many requests', data: {} }, { 'retry-after': String(seconds) }),
    timedOut: () => problem(504, 'Gateway timeout'),
  },
  referenceIn: (request) => request.params.reference ?? textField(request.body, 'transaction_ref'),
  statusOf: squadStatus,
  transactionIs: 'checkout',
  transactionId: (checkout) => checkout.reference,
  lookupFee: chargesKobo,
  returnAddress,
  chargeEvent,
  // Squad documents no webhook about refunds.
  refundEvent: () => null,
  returnsTransfers: ['another_amount', 'late', 'again'],
  returnedTransferEvent,
  ...signedBy('x-squad-encrypted-body', {
    algorithm: 'sha512',
    secret: ({ key }) => key,
    over: signedText,
    written: (hex) => hex.toUpperCase(),
  }),
  signatures: [{ header: 'x-squad-encrypted-body', coversBody: true }],
};

/** The whole body; of a transfer three of its fields, as "Dynamic virtual accounts" has it. */
function signedText(body: string): string {
  const { transaction_type, transaction_reference, amount_received, merchant_reference } = JSON.parse(body) as Record<
    string,
    unknown
  >;
  if (transaction_type !== 'dynamic_virtual_account') return body;
  return JSON.stringify({ transaction_reference, amount_received, merchant_reference });
}

/** "Mismatch: within the specified duration"; "Expired: after the set duration or after a successful transaction". Amounts are naira. */
function returnedTransferEvent(
  simulator: Simulator,
  checkout: Checkout,
  { id, amount, mistake }: { readonly id: number; readonly amount: number; readonly mistake: TransferMistake },
): WebhookEvent | null {
  const account = simulator.ledger.account(checkout.accountId);
  if (account === null) return null;
  const status = mistake === 'another_amount' ? 'MISMATCH' : 'EXPIRED';
  const naira = (kobo: number) => (kobo / 100).toFixed(2);
  return {
    name: status,
    body: {
      transaction_status: status,
      merchant_reference: checkout.reference,
      merchant_amount: naira(checkout.amount),
      amount_received: naira(amount),
      transaction_reference: `REF${id}`,
      email: checkout.email,
      merchant_id: merchantId(account),
      transaction_type: 'dynamic_virtual_account',
      date: isoTime(simulator),
    },
  };
}

/**
 * The reference is added to the merchant's address once the customer is done; under which name, and where one who gives up is sent, is
 * not documented. A failed try keeps the customer on the page.
 */
function returnAddress(checkout: Checkout, outcome: ReturnOutcome): string | null {
  if (outcome === 'failed') return null;
  return returnTo(checkout, { reference: checkout.reference });
}

/** Only success has a webhook. */
function chargeEvent(simulator: Simulator, checkout: Checkout, charge: Charge): WebhookEvent | null {
  const account = simulator.ledger.account(checkout.accountId);
  if (account === null || charge.status !== 'success') return null;
  const Body = presentEvent(account, checkout, charge);
  return { name: 'charge_successful', body: { Event: 'charge_successful', TransactionRef: checkout.reference, Body } };
}
