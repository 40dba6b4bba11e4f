import { z } from 'zod';
import { type CheckoutRequest, offered, openCheckout, randomToken } from '../checkout/moves.ts';
import { type Account, type Channel, type Charge, type Checkout, decisiveCharge, isKnown } from '../ledger/records.ts';
import { createRefund } from '../refunds.ts';
import { authenticateByToken } from '../server/authenticate.ts';
import { type Inbound, parseJson, type Reply } from '../server/router.ts';
import { type ApiContext, type ApiRoute, type Authentication, checkoutUrl, type Simulator } from '../simulator.ts';
import {
  chargeIdIn,
  type Order,
  orderId,
  orderSchema,
  presentCheckoutTransaction,
  presentTransaction,
  problem,
  refundRequestSchema,
  success,
  transactionNotFound,
} from './wire.ts';

/** Tokens, checkouts and refunds. */
export const checkoutRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/v1/auth/token/issue', authenticate: authenticateClient, handle: issueToken },
  { method: 'POST', pattern: '/v1/checkout/order', creates: true, handle: createOrder },
  { method: 'POST', pattern: '/v1/checkout/refund', creates: true, handle: refund },
];

/** Look-ups. There is none of refunds. */
export const transactionRoutes: readonly ApiRoute[] = [
  { method: 'GET', pattern: '/v1/transactions/accounts/single', handle: single },
  { method: 'GET', pattern: '/v1/transactions/accounts', handle: list },
  { method: 'GET', pattern: '/v1/checkout/transaction', handle: checkoutTransaction },
];

/** By a token, and the header that names the business. */
export function authenticateBusiness(request: Inbound, simulator: Simulator): Authentication {
  const found = authenticateByToken(request, simulator);
  if (found.kind === 'account' && request.headers.accountid !== found.account.credentials.accountId) return refused(simulator);
  return found;
}

const grantSchema = z.object({ grant_type: z.literal('client_credentials'), client_id: z.string(), client_secret: z.string() });

/** By the client's id and secret in the body, and the header that names the business. */
function authenticateClient(request: Inbound, simulator: Simulator): Authentication {
  const grant = grantSchema.safeParse(parseJson(request.body));
  const account = grant.success ? simulator.ledger.accountByKey(grant.data.client_id) : null;
  if (!grant.success || account === null) return refused(simulator);
  const { secretKey, accountId } = account.credentials;
  if (secretKey !== grant.data.client_secret || accountId !== request.headers.accountid) return refused(simulator);
  return { kind: 'account', account };
}

function refused(simulator: Simulator): Authentication {
  return { kind: 'refused', reply: simulator.spec.errors.unauthorised('unknown') };
}

/** "Access tokens expire after 30 minutes" (Authenticate). */
const tokenLifetimeMs = 1_800_000;

function issueToken(_request: Inbound, { simulator, account }: ApiContext): Reply {
  return success({
    businessId: account.credentials.accountId ?? '',
    access_token: simulator.tokens.issue(account.id, tokenLifetimeMs),
    refresh_token: randomToken(39),
    expiresAt: new Date(simulator.now() + tokenLifetimeMs).toISOString(),
  });
}

/** `orderReference` in the answer is Nomba's own id of the order, as its plug-in takes it and the sandbox was seen to answer. */
function createOrder(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const parsed = orderSchema.safeParse(parseJson(request.body));
  if (!parsed.success)
    return problem(400, `Request failed. ${String(parsed.error.issues[0]?.path.at(-1) ?? 'body')} is not valid`);
  const { order } = parsed.data;
  const reference = order.orderReference ?? `${account.credentials.accountId ?? ''}_${simulator.now()}`;
  note(reference);
  // The answer to a reference that was used before is documented nowhere.
  if (simulator.ledger.checkoutsByReference(account.id, reference).length > 0) return problem(400, 'Duplicate order reference');
  const checkout = openCheckout(simulator, account, checkoutRequestFrom(order, reference));
  return success({
    success: true,
    message: 'success',
    checkoutLink: checkoutUrl(simulator, checkout),
    orderReference: orderId(checkout),
  });
}

function checkoutRequestFrom(order: Order, reference: string): CheckoutRequest {
  return {
    token: randomToken(32),
    reference,
    amount: order.amount,
    currency: order.currency,
    email: order.customerEmail,
    returnUrl: order.callbackUrl,
    channels: offered((order.allowedPaymentMethods ?? []).map((name) => pageChannels[name])),
    metadata: order.orderMetaData ?? null,
  };
}

const pageChannels: Readonly<Record<string, Channel>> = { Card: 'card', Transfer: 'bank_transfer' };

/** A transaction by the order's reference or id, or by its own id. */
function single(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const reference = request.query.get('orderReference')?.toLowerCase() ?? '';
  note(reference);
  const found =
    reference === '' ? byId(request.query, simulator, account) : decided(simulator.ledger.ownCheckout(account.id, reference));
  if (found === null || isLate(simulator, account, found.charge)) return transactionNotFound();
  return success(presentTransaction(account, found.checkout, found.charge, false), 'SUCCESS');
}

/** A checkout's transaction with the account that a transfer came from, by the order's reference or id. */
function checkoutTransaction(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const id = request.query.get('id') ?? '';
  note(id);
  const found =
    request.query.get('idType') === 'ORDER_ID'
      ? byId(new URLSearchParams({ orderId: id }), simulator, account)
      : decided(simulator.ledger.ownCheckout(account.id, id.toLowerCase()));
  return found === null ? transactionNotFound() : success(presentCheckoutTransaction(account, found.checkout, found.charge));
}

interface Found {
  readonly checkout: Checkout;
  readonly charge: Charge;
}

function decided(checkout: Checkout | null): Found | null {
  const charge = checkout === null ? null : decisiveCharge(checkout);
  return checkout === null || charge === null ? null : { checkout, charge };
}

function byId(query: URLSearchParams, simulator: Simulator, account: Account): Found | null {
  const order = query.get('orderId');
  if (order !== null) {
    const own = simulator.ledger.checkouts().find((checkout) => checkout.accountId === account.id && orderId(checkout) === order);
    return own !== undefined && isKnown(own) ? decided(own) : null;
  }
  return ownCharge(simulator, account, query.get('transactionRef') ?? '');
}

function ownCharge(simulator: Simulator, account: Account, transaction: string): Found | null {
  const id = chargeIdIn(transaction);
  const found = id === null ? null : simulator.ledger.charge(id);
  return found !== null && found.checkout.accountId === account.id && isKnown(found.checkout) ? found : null;
}

/** True while look-ups are behind the webhook of the payment. */
function isLate(simulator: Simulator, { credentials }: Account, { finishedAt }: Charge): boolean {
  const delayMs = Number(credentials.lookupDelayMs ?? '0');
  return finishedAt !== null && simulator.now() < Date.parse(finishedAt) + delayMs;
}

const listSchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(10),
  cursor: z
    .string()
    .regex(/^after-\d{1,7}$/)
    .optional(),
  dateFrom: z.iso.datetime({ local: true }).optional(),
  dateTo: z.iso.datetime({ local: true }).optional(),
});

/** Transactions of the account, newest first; the cursor is empty at the end. */
function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = listSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return problem(400, 'Request failed.');
  const { limit, cursor, dateFrom, dateTo } = parsed.data;
  const all = simulator.ledger.listedCharges(account.id).filter(({ charge }) => {
    const at = Date.parse(charge.createdAt);
    return at >= utc(dateFrom, 0) && at <= utc(dateTo, Number.POSITIVE_INFINITY);
  });
  const start = Number(cursor?.slice('after-'.length) ?? '0');
  const end = start + limit;
  return success({
    results: all.slice(start, end).map(({ checkout, charge }) => presentTransaction(account, checkout, charge, true)),
    cursor: end < all.length ? `after-${end}` : '',
  });
}

/** Times without a zone are UTC. */
function utc(time: string | undefined, missing: number): number {
  return time === undefined ? missing : Date.parse(/Z$/.test(time) ? time : `${time}Z`);
}

/** Nothing in the request or in the answer names a refund. */
function refund(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const parsed = refundRequestSchema.safeParse(parseJson(request.body));
  if (!parsed.success) return problem(400, 'Request failed.');
  const found = ownCharge(simulator, account, parsed.data.transactionId);
  if (found === null) return problem(404, 'Record not found');
  note(found.checkout.reference);
  const answer = createRefund(simulator, found.checkout, found.charge, {
    amount: parsed.data.amount ?? null,
    customerNote: null,
    merchantNote: null,
  });
  switch (answer.kind) {
    case 'not_paid':
      return problem(400, 'Only a successful transaction can be refunded');
    case 'nothing_left':
      return problem(400, 'Transaction has been refunded');
    case 'too_much':
      return problem(400, 'Refund amount is more than the transaction amount');
    case 'accepted':
      return success({ success: true, message: 'Refund processed successfully' });
    default:
      return answer satisfies never;
  }
}
