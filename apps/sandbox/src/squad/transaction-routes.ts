import { z } from 'zod';
import { type CheckoutRequest, offered, openCheckout, randomToken } from '../checkout/moves.ts';
import { type Account, type Channel, type Checkout, paidCharge } from '../ledger/records.ts';
import { createRefund, refundable } from '../refunds.ts';
import { authenticateByKey } from '../server/authenticate.ts';
import { type Inbound, json, parseJson, type Reply } from '../server/router.ts';
import { type ApiContext, type ApiRoute, type Authentication, checkoutUrl, type Simulator } from '../simulator.ts';
import {
  gatewayReference,
  type Initiate,
  initiateProblem,
  initiateSchema,
  initiateUnauthorised,
  invalidReference,
  merchantId,
  presentListed,
  presentRefund,
  presentVerified,
  problem,
  refundRequestSchema,
  success,
} from './wire.ts';

/** Keys of Squad's sandbox begin with it. */
export const sandboxKeyPrefix = 'sandbox_sk_';

/** Squad's calls about transactions. */
export const transactionRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/transaction/initiate', creates: true, authenticate: authenticateInitiate, handle: initiate },
  { method: 'GET', pattern: '/transaction/verify/:reference', handle: verify },
  { method: 'GET', pattern: '/transaction', handle: list },
];

/** Initiate refuses keys in an envelope of its own, except a key of the other host. */
function authenticateInitiate(request: Inbound, simulator: Simulator): Authentication {
  const found = authenticateByKey(request, simulator);
  const ofThisHost = !/^Bearer +(?!sandbox_sk_)\S/i.test(request.headers.authorization ?? '');
  return found.kind === 'refused' && ofThisHost ? { kind: 'refused', reply: initiateUnauthorised() } : found;
}

function initiate(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const body = parseJson(request.body);
  const parsed = initiateSchema.safeParse(body);
  if (!parsed.success) return initiateProblem(body, parsed.error);
  const reference = parsed.data.transaction_ref ?? `SQ${randomToken(20).toUpperCase()}`;
  note(reference);
  // Squad requires references to be unique; the words of its refusal are not documented.
  if (simulator.ledger.checkoutsByReference(account.id, reference).length > 0) {
    return problem(400, 'Duplicate transaction reference');
  }
  const checkout = openCheckout(simulator, account, checkoutRequestFrom(parsed.data, reference));
  return json(200, { status: 200, message: 'success', data: presentInitiated(simulator, account, checkout, parsed.data) });
}

function checkoutRequestFrom(sent: Initiate, reference: string): CheckoutRequest {
  return {
    token: randomToken(24),
    reference,
    amount: sent.amount,
    currency: sent.currency,
    email: sent.email,
    customerName: sent.customer_name ?? null,
    returnUrl: sent.callback_url ?? null,
    channels: offered((sent.payment_channels ?? []).map((name) => pageChannels[name])),
    metadata: sent.metadata ?? null,
  };
}

const pageChannels: Readonly<Record<string, Channel>> = { card: 'card', transfer: 'bank_transfer' };

function presentInitiated(simulator: Simulator, account: Account, checkout: Checkout, sent: Initiate): Record<string, unknown> {
  return {
    auth_url: null,
    access_token: null,
    merchant_info: {
      merchant_response: null,
      merchant_name: null,
      merchant_logo: null,
      merchant_id: merchantId(account),
    },
    currency: checkout.currency,
    recurring: { frequency: null, duration: null, type: 0, plan_code: null, customer_name: null },
    is_recurring: sent.is_recurring ?? false,
    plan_code: null,
    callback_url: checkout.returnUrl,
    transaction_ref: checkout.reference,
    transaction_memo: null,
    transaction_amount: checkout.amount,
    authorized_channels: sent.payment_channels ?? ['card', 'ussd', 'bank'],
    checkout_url: checkoutUrl(simulator, checkout),
  };
}

function verify(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const reference = request.params.reference ?? '';
  note(reference);
  const checkout = simulator.ledger.ownCheckout(account.id, reference);
  return checkout === null ? invalidReference() : success(presentVerified(simulator, account, checkout));
}

const oneMonthMs = 31 * 86_400_000;
const day = z.iso.date().or(z.iso.datetime({ offset: true, local: true }));

/** `perPage` in one edition of the documentation, `perpage` in another: both are taken. */
const listSchema = z.object({
  start_date: day,
  end_date: day,
  currency: z.string().optional(),
  amount: z.coerce.number().int().optional(),
  reference: z.string().optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  perpage: z.coerce.number().int().min(1).max(100).default(20),
});

/** Newest first. The answer has no number of pages. */
function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = listSchema.safeParse(Object.fromEntries([...request.query].map(([name, value]) => [queryName(name), value])));
  if (!parsed.success) return problem(400, `${String(parsed.error.issues[0]?.path[0] ?? 'query')} is required`);
  const { start_date, end_date, currency, amount, reference, page, perpage } = parsed.data;
  const from = Date.parse(start_date);
  const to = Date.parse(end_date) + (z.iso.date().safeParse(end_date).success ? 86_400_000 : 0);
  if (to - from > oneMonthMs + 86_400_000) return problem(400, 'Date range should not be more than one month');
  const all = simulator.ledger.listedCheckouts(account.id).filter((checkout) => {
    const at = Date.parse(checkout.createdAt);
    return (
      at >= from &&
      at < to &&
      (currency === undefined || checkout.currency === currency) &&
      (amount === undefined || checkout.amount === amount) &&
      (reference === undefined || checkout.reference === reference)
    );
  });
  return success(all.slice((page - 1) * perpage, page * perpage).map((checkout) => presentListed(simulator, account, checkout)));
}

function queryName(name: string): string {
  return name === 'perPage' ? 'perpage' : name;
}

/** Refunds can be requested. There is no call that looks one up, and no list of them. */
export const refundRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/transaction/refund', creates: true, handle: create },
];

function create(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const parsed = refundRequestSchema.safeParse(parseJson(request.body));
  if (!parsed.success) return problem(400, `${String(parsed.error.issues[0]?.path[0] ?? 'body')} is required`);
  const sent = parsed.data;
  const checkout = simulator.ledger.ownCheckout(account.id, sent.transaction_ref);
  if (checkout === null) return invalidReference();
  note(checkout.reference);
  const charge = paidCharge(checkout);
  if (charge === null) return problem(400, 'Only successful transactions can be refunded');
  if (sent.gateway_transaction_ref !== gatewayReference(checkout, charge))
    return problem(400, 'Invalid gateway transaction reference');
  const amount = sent.refund_type === 'Full' ? refundable(simulator, checkout, charge) : (sent.refund_amount ?? null);
  if (amount === null) return problem(400, 'refund_amount is required');
  const answer = createRefund(simulator, checkout, charge, {
    amount,
    customerNote: null,
    merchantNote: sent.reason_for_refund,
  });
  switch (answer.kind) {
    case 'not_paid':
      return problem(400, 'Only successful transactions can be refunded');
    case 'nothing_left':
      return problem(400, 'Transaction has been refunded');
    case 'too_much':
      return problem(400, 'Refund amount cannot be greater than the transaction amount');
    case 'accepted':
      return success(presentRefund(checkout, charge));
    default:
      return answer satisfies never;
  }
}
