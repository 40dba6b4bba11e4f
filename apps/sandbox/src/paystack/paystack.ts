import { returnTo } from '../checkout/moves.ts';
import { commonFaults, settlementFaults } from '../faults/faults.ts';
import type { Account, Checkout, Dispute, Refund } from '../ledger/records.ts';
import { authenticateByKey } from '../server/authenticate.ts';
import { json, textField } from '../server/router.ts';
import type {
  DisputeStep,
  GatewaySpec,
  ReturnOutcome,
  Simulator,
  TestCard,
  TransferMistake,
  WebhookEvent,
} from '../simulator.ts';
import { signedBy } from '../webhooks/announce.ts';
import { disputeRoutes, presentDispute } from './dispute-routes.ts';
import { refundRoutes } from './refund-routes.ts';
import { settlementRoutes } from './settlement-routes.ts';
import { transactionRoutes } from './transaction-routes.ts';
import { domainOf, feeKobo, paystackStatus, presentCustomer, presentTransaction, problem } from './wire.ts';

const approved = { steps: [], outcome: 'success', message: 'Approved', refund: 'processed', expiry: '12/30' } as const;

/** Paystack's documented test cards; any expiry in the future is taken. */
const paystackCards: readonly TestCard[] = [
  { ...approved, name: 'Success', number: '4084084084084081', cvv: '408', brand: 'visa' },
  {
    ...approved,
    name: 'Success with PIN',
    number: '507850785078507812',
    cvv: '081',
    brand: 'verve',
    steps: ['pin'],
    pin: '1111',
  },
  {
    ...approved,
    name: 'Success with PIN and OTP',
    number: '5060666666666666666',
    cvv: '123',
    brand: 'verve',
    steps: ['pin', 'otp'],
    pin: '1234',
    otp: '123456',
  },
  {
    ...approved,
    name: 'Success with PIN, phone and OTP',
    number: '507850785078507804',
    cvv: '884',
    brand: 'verve',
    steps: ['pin', 'otp'],
    pin: '0000',
    otp: '123456',
  },
  { ...approved, name: 'Bank authentication', number: '5192602720584796', cvv: '123', brand: 'mastercard', steps: ['bank'] },
  {
    ...approved,
    name: 'Declined',
    number: '4084080000005408',
    cvv: '001',
    brand: 'visa',
    outcome: 'failed',
    message: 'Declined',
  },
  {
    ...approved,
    name: 'Insufficient funds',
    number: '4084080000670037',
    cvv: '787',
    brand: 'visa',
    outcome: 'failed',
    message: 'Insufficient Funds',
  },
  {
    ...approved,
    name: 'No token',
    number: '507850785078507853',
    cvv: '082',
    brand: 'verve',
    outcome: 'failed',
    message: 'Token Not Generated. Customer Not Registered on Token Platform',
  },
  { ...approved, name: 'Success, refund fails', number: '4084080000671803', cvv: '180', brand: 'visa', refund: 'failed' },
  {
    ...approved,
    name: 'Success, refund needs attention',
    number: '4084080000671902',
    cvv: '190',
    brand: 'visa',
    refund: 'needs-attention',
  },
];

/** The simulator of Paystack: kobo, verify by reference, no webhook about failures. */
export const paystack: GatewaySpec = {
  name: 'paystack',
  title: 'Paystack',
  unit: 'kobo',
  unitsPerMain: 100,
  decimals: 0,
  look: {
    light: { accent: '#0b6684', accentSoft: '#e2f0f5' },
    dark: { accent: '#68c3e2', accentInk: '#04202b', accentSoft: '#112c37' },
  },
  apiPath: '',
  accountFields: {
    secretKey: { pattern: /^sk_(test|live)_[\w-]{4,200}$/, rule: 'must start with sk_test_ or sk_live_' },
  },
  keyField: 'secretKey',
  credentialsFor: (holder) => ({ secretKey: `sk_test_sandbox_paystack_${holder}` }),
  authenticate: authenticateByKey,
  faults: [...commonFaults, ...settlementFaults],
  checkoutPath: '/checkout',
  cards: paystackCards,
  unknownCard: 'Declined. Please use the test card since you are doing a test transaction',
  routes: [...transactionRoutes, ...refundRoutes, ...disputeRoutes, ...settlementRoutes],
  example: (address) => `curl ${address}/transaction/initialize \\
  -H 'Authorization: Bearer sk_test_sandbox_paystack_demo' \\
  -d '{"email":"ada@example.com","amount":100000}'`,
  errors: {
    unauthorised: (why) => {
      if (why === 'missing') return problem(401, 'No Authorization Header was found', 'missing_key', 'Send your secret key');
      if (why === 'malformed') {
        return problem(401, 'Format is Authorization: Bearer [secret key]', 'invalid_key', 'Correct the Authorization header');
      }
      return problem(401, 'Invalid key', 'invalid_Key', 'Ensure that you provide the correct authorization key for the request');
    },
    unknownPath: () => problem(404, 'Endpoint not found', 'unknown', 'Check the path and the method', 'api_error'),
    tooLarge: () => problem(413, 'Request body too large', 'invalid_params', 'Send less'),
    internal: () => problem(500, 'An error occurred', 'unknown', 'Try again later', 'api_error'),
    rateLimited: (seconds) =>
      json(
        429,
        { status: false, message: 'Please wait a few minutes and try again.', type: 'api_error', code: 'rate_limited' },
        { 'retry-after': String(seconds) },
      ),
    timedOut: () => problem(504, 'Gateway Timeout', 'unknown', 'Try again later', 'api_error'),
  },
  referenceIn: (request) => request.params.reference ?? textField(request.body, 'reference'),
  statusOf: paystackStatus,
  transactionIs: 'checkout',
  transactionId: (checkout) => checkout.id,
  returnAddress,
  chargeEvent,
  refundEvent,
  returnsTransfers: ['another_amount', 'late', 'again'],
  returnedTransferEvent,
  reverses: true,
  disputeEvent,
  answerHours: 16,
  settlementFee: feeKobo,
  ...signedBy('x-paystack-signature', { algorithm: 'sha512', secret: ({ key }) => key }),
};

/** A failed try keeps the customer on the page; giving up goes to `cancel_action`, or back with the usual parameters. */
function returnAddress(checkout: Checkout, outcome: ReturnOutcome): string | null {
  if (outcome === 'failed') return null;
  if (outcome === 'cancelled' && checkout.cancelUrl !== null) return checkout.cancelUrl;
  return returnTo(checkout, { trxref: checkout.reference, reference: checkout.reference });
}

/** Only success has a webhook. */
function chargeEvent(simulator: Simulator, checkout: Checkout, charge: Checkout['charges'][number]): WebhookEvent | null {
  const account = simulator.ledger.account(checkout.accountId);
  if (account === null || charge.status !== 'success') return null;
  const data = presentTransaction(simulator, account, { ...checkout, charges: [charge] });
  return {
    name: 'charge.success',
    body: {
      event: 'charge.success',
      data: { ...data, source: { type: 'api', source: 'merchant_api', entry_point: 'transaction_initialize', identifier: null } },
    },
  };
}

/** Only of another amount, and with Paystack's id of the transaction alone. */
function returnedTransferEvent(
  _simulator: Simulator,
  checkout: Checkout,
  { amount, mistake }: { readonly amount: number; readonly mistake: TransferMistake },
): WebhookEvent | null {
  if (mistake !== 'another_amount') return null;
  const event = 'bank.transfer.rejected';
  const bank_transfer = {
    amount: String(amount),
    message: 'incorrect amount sent',
    message_type: 'INCORRECT_AMOUNT',
    transaction_id: String(checkout.id),
  };
  return { name: event, body: { event, data: { bank_transfer, customer: presentCustomer(checkout) } } };
}

function refundEvent(simulator: Simulator, refund: Refund, checkout: Checkout): WebhookEvent | null {
  const account = simulator.ledger.account(refund.accountId);
  return account === null ? null : { name: `refund.${refund.status}`, body: refundBody(account, refund, checkout) };
}

/** A dispute in a webhook has its times of creation and change in another form than in the API. */
function disputeEvent(simulator: Simulator, checkout: Checkout, dispute: Dispute, step: DisputeStep): WebhookEvent | null {
  const account = simulator.ledger.account(checkout.accountId);
  if (account === null) return null;
  const { createdAt, updatedAt, ...data } = presentDispute(simulator, account, checkout, dispute);
  const name = `charge.dispute.${step}`;
  return { name, body: { event: name, data: { ...data, created_at: createdAt, updated_at: updatedAt } } };
}

function refundBody(account: Account, refund: Refund, checkout: Checkout): Record<string, unknown> {
  return {
    event: `refund.${refund.status}`,
    data: {
      status: refund.status,
      transaction_reference: checkout.reference,
      refund_reference: refund.status === 'processed' ? `TRF_${refund.id}` : null,
      amount: refund.amount,
      currency: refund.currency,
      processor: 'sandbox',
      customer: presentCustomer(checkout),
      integration: account.number,
      domain: domainOf(account),
    },
  };
}
