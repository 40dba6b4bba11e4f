import { z } from 'zod';
import { type CheckoutRequest, offered, openCheckout, randomToken } from '../checkout/moves.ts';
import { type Account, type Checkout, isKnown, paidCharge } from '../ledger/records.ts';
import { type Inbound, json, parseJson, type Reply } from '../server/router.ts';
import { type ApiContext, type ApiRoute, checkoutUrl, type Simulator } from '../simulator.ts';
import {
  authorizationCode,
  badJson,
  duplicateReference,
  type Initialize,
  initializeProblem,
  initializeSchema,
  koboSchema,
  paystackStatus,
  presentCustomer,
  presentLog,
  presentTransaction,
  problem,
  transactionNotFound,
} from './wire.ts';

/** Paystack's calls about transactions. */
export const transactionRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/transaction/initialize', creates: true, handle: initialize },
  { method: 'POST', pattern: '/transaction/charge_authorization', creates: true, handle: refuseAuthorization },
  { method: 'GET', pattern: '/transaction', handle: list },
  { method: 'GET', pattern: '/transaction/verify/:reference', handle: verify },
  { method: 'GET', pattern: '/transaction/verify/', handle: notNumeric },
  { method: 'GET', pattern: '/transaction/timeline/:which', handle: timeline },
  { method: 'GET', pattern: '/transaction/:id', handle: fetchById },
];

function initialize(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const body = parseJson(request.body);
  if (body === undefined) return badJson();
  const parsed = initializeSchema.safeParse(body);
  if (!parsed.success) return initializeProblem(body, parsed.error);
  const reference = parsed.data.reference ?? randomToken(10);
  note(reference);
  if (simulator.ledger.checkoutsByReference(account.id, reference).length > 0) {
    return duplicateReference();
  }
  const checkout = openCheckout(simulator, account, checkoutRequestFrom(parsed.data, reference));
  return json(200, {
    status: true,
    message: 'Authorization URL created',
    data: { authorization_url: checkoutUrl(simulator, checkout), access_code: checkout.token, reference },
  });
}

const chargeSchema = initializeSchema.extend({ authorization_code: z.string().min(1) });

/**
 * No authorization can be charged again here: those that paid are treated as deactivated, any other as unknown. Paystack answers both
 * without making a transaction.
 */
function refuseAuthorization(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const body = parseJson(request.body);
  const parsed = chargeSchema.safeParse(body);
  if (!parsed.success) {
    if (!initializeSchema.safeParse(body).success) return initializeProblem(body, parsed.error);
    return problem(400, 'Authorization code is required', 'missing_params', 'Provide authorization_code in the request');
  }
  if (typeof parsed.data.reference === 'string') note(parsed.data.reference);
  const isKnown = simulator.ledger
    .checkouts()
    .some((each) => each.accountId === account.id && authorizationCode(paidCharge(each)) === parsed.data.authorization_code);
  if (!isKnown) {
    return problem(
      400,
      'Authorization code is invalid',
      'invalid_params',
      'Use the authorization_code of a successful transaction',
    );
  }
  return problem(
    400,
    'Email does not match Authorization code. Authorization may be inactive or belong to a different email. Please confirm.',
    'invalid_params',
    'Check that the authorization is active and belongs to the email',
  );
}

function checkoutRequestFrom(sent: Initialize, reference: string): CheckoutRequest {
  const metadata = readMetadata(sent.metadata ?? null);
  const cancel = z.object({ cancel_action: z.url({ protocol: /^https?$/ }) }).safeParse(metadata);
  const name = [sent.first_name, sent.last_name].filter((part) => part !== null && part !== undefined && part !== '').join(' ');
  return {
    token: randomToken(15),
    reference,
    amount: sent.amount,
    currency: sent.currency ?? 'NGN',
    email: sent.email,
    customerName: name === '' ? null : name,
    phone: sent.phone ?? null,
    returnUrl: sent.callback_url ?? null,
    cancelUrl: cancel.success ? cancel.data.cancel_action : null,
    channels: offered(sent.channels ?? []),
    metadata,
  };
}

function readMetadata(sent: Checkout['metadata']): Checkout['metadata'] {
  if (typeof sent !== 'string') return sent;
  const parsed = z.json().safeParse(parseJson(Buffer.from(sent)));
  return parsed.success ? parsed.data : sent;
}

function verify(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const reference = request.params.reference ?? '';
  note(reference);
  const checkout = simulator.ledger.ownCheckout(account.id, reference);
  if (checkout === null) return transactionNotFound(400);
  return json(200, { status: true, message: 'Verification successful', data: presentTransaction(simulator, account, checkout) });
}

/** One of the account's own transactions by its id, or by its reference. */
export function ownTransaction(simulator: Simulator, account: Account, which: string): Checkout | null {
  const byReference = simulator.ledger.checkoutsByReference(account.id, which)[0];
  const byId = /^\d{1,16}$/.test(which) ? simulator.ledger.checkout(Number(which)) : null;
  const found = byReference ?? (byId?.accountId === account.id ? byId : null);
  return found !== null && isKnown(found) ? found : null;
}

function notNumeric(): Reply {
  return problem(400, 'Transaction ID must be numeric', 'invalid_params', 'Pass the numeric id of a transaction');
}

function fetchById(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const id = request.params.id ?? '';
  if (!/^\d+$/.test(id)) return notNumeric();
  const checkout = simulator.ledger.checkout(Number(id));
  if (checkout === null || checkout.accountId !== account.id || !isKnown(checkout)) return transactionNotFound(404);
  note(checkout.reference);
  return json(200, { status: true, message: 'Transaction retrieved', data: presentTransaction(simulator, account, checkout) });
}

function timeline(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const checkout = ownTransaction(simulator, account, request.params.which ?? '');
  if (checkout === null) return transactionNotFound(404);
  note(checkout.reference);
  return json(200, { status: true, message: 'Timeline retrieved', data: presentLog(checkout) });
}

const pageNumber = z.coerce.number().int().min(1).max(1_000_000);

const listSchema = z.object({
  page: pageNumber.default(1),
  perPage: pageNumber.max(100).default(50),
  use_cursor: z.stringbool().default(false),
  next: z.string().optional(),
  previous: z.string().optional(),
  from: z.iso.datetime({ offset: true }).or(z.iso.date()).optional(),
  to: z.iso.datetime({ offset: true }).or(z.iso.date()).optional(),
  status: z.string().optional(),
  customer: z.string().optional(),
  amount: koboSchema.optional(),
});

function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = listSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? 'query');
    return problem(400, `Invalid '${field}' parameter`, 'invalid_params', `Check the value of ${field}`);
  }
  const query = parsed.data;
  const all = simulator.ledger.listedCheckouts(account.id).filter((checkout) => matches(simulator, checkout, query));
  const { start, meta } = query.use_cursor ? cursorPage(all, query) : numberedPage(all, query);
  const data = all.slice(start, start + query.perPage).map((checkout) => presentTransaction(simulator, account, checkout));
  return json(200, { status: true, message: 'Transactions retrieved', data, meta });
}

type ListQuery = z.infer<typeof listSchema>;

function matches(simulator: Simulator, checkout: Checkout, query: ListQuery): boolean {
  const at = Date.parse(checkout.createdAt);
  return (
    (query.from === undefined || at >= Date.parse(query.from)) &&
    (query.to === undefined || at <= Date.parse(query.to)) &&
    (query.customer === undefined || String(presentCustomer(checkout).id) === query.customer) &&
    (query.amount === undefined || checkout.amount === query.amount) &&
    (query.status === undefined || paystackStatus(simulator, checkout) === query.status)
  );
}

interface Page {
  readonly start: number;
  readonly meta: Record<string, unknown>;
}

function numberedPage(all: readonly Checkout[], query: ListQuery): Page {
  return {
    start: (query.page - 1) * query.perPage,
    meta: {
      total: all.length,
      total_volume: all.reduce((sum, checkout) => sum + checkout.amount, 0),
      skipped: (query.page - 1) * query.perPage,
      perPage: query.perPage,
      page: query.page,
      pageCount: Math.ceil(all.length / query.perPage),
    },
  };
}

/** Newest first; a cursor is the id of the last transaction before the page. */
function cursorPage(all: readonly Checkout[], query: ListQuery): Page {
  const after = query.next === undefined ? -1 : all.findIndex((checkout) => cursorOf(checkout) === query.next);
  const before = query.previous === undefined ? -1 : all.findIndex((checkout) => cursorOf(checkout) === query.previous);
  const start = before >= 0 ? Math.max(0, before - query.perPage) : after + 1;
  const last = all[start + query.perPage - 1];
  const first = all[start];
  return {
    start,
    meta: {
      next: last !== undefined && start + query.perPage < all.length ? cursorOf(last) : null,
      previous: start > 0 && first !== undefined ? cursorOf(first) : null,
      perPage: query.perPage,
    },
  };
}

function cursorOf(checkout: Checkout): string {
  return Buffer.from(`transaction:${checkout.id}`).toString('base64url');
}
