import { z } from 'zod';
import { type CheckoutRequest, openCheckout, randomToken } from '../checkout/moves.ts';
import { type Checkout, channels, decisiveCharge, isKnown, paidCharge, type Refund } from '../ledger/records.ts';
import { createRefund } from '../refunds.ts';
import { authenticateByPassword } from '../server/authenticate.ts';
import { type Inbound, json, parseForm, parseJson, type Reply } from '../server/router.ts';
import { type ApiContext, type ApiRoute, checkoutUrl } from '../simulator.ts';
import {
  badJson,
  invalid,
  lagosTime,
  merchantCode,
  nairaCode,
  type PayBill,
  payBillSchema,
  presentFound,
  presentRefund,
  presentTransaction,
  problem,
  refundReference,
  refundRequestSchema,
  unknownMerchant,
} from './wire.ts';

/** Interswitch's calls about payments: token, pay bill, look-up and search. */
export const paymentRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/passport/oauth/token', authenticate: authenticateByPassword('secretKey'), handle: issueToken },
  { method: 'POST', pattern: '/paymentgateway/api/v1/paybill', creates: true, handle: payBill },
  { method: 'GET', pattern: '/collections/api/v1/gettransaction.json', handle: getTransaction },
  { method: 'POST', pattern: '/switch-online-gateway-service/api/v1/gateway/quick-search', handle: quickSearch },
];

const tokenLifetimeSeconds = 86_399;

/** Client credentials: the grant type stands in the query or in the form. */
function issueToken(request: Inbound, { simulator, account }: ApiContext): Reply {
  const grant = request.query.get('grant_type') ?? parseForm(request.body).grant_type;
  if (grant !== 'client_credentials') {
    return json(400, { error: 'unsupported_grant_type', error_description: 'Unsupported grant type' });
  }
  return json(200, {
    access_token: simulator.tokens.issue(account.id, tokenLifetimeSeconds * 1000),
    token_type: 'bearer',
    expires_in: tokenLifetimeSeconds,
    scope: 'profile',
    merchant_code: merchantCode(account),
    requestor_id: String(account.number),
    payable_id: account.credentials.payItemId ?? '',
    jti: randomToken(24),
  });
}

/** Answers the bill as it was requested, with its address. */
function payBill(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const body = parseJson(request.body);
  if (body === undefined) return badJson();
  const parsed = payBillSchema.safeParse(body);
  if (!parsed.success) return invalid('E02', `${String(parsed.error.issues[0]?.path[0] ?? 'body')} is invalid`);
  const sent = parsed.data;
  const reference = sent.transactionReference ?? randomToken(15);
  note(reference);
  if (sent.merchantCode !== merchantCode(account)) return unknownMerchant(400);
  if (sent.payableCode !== account.credentials.payItemId) return problem(400, '20032', 'Invalid value for Payable Code');
  if (reference.length < 6 || reference.length > 50) return invalid('E44', 'transactionReference must have 6 to 50 characters');
  if (sent.currencyCode !== nairaCode) return problem(400, '20033', 'Currency is not supported');
  if (simulator.ledger.checkoutsByReference(account.id, reference).length > 0) {
    return problem(400, 'Z5', 'Duplicate Transaction Reference');
  }
  const checkout = openCheckout(simulator, account, checkoutRequestFrom(sent, reference));
  return json(200, {
    id: checkout.id,
    merchantCode: sent.merchantCode,
    payableCode: sent.payableCode,
    amount: sent.amount,
    code: '200',
    redirectUrl: sent.redirectUrl,
    customerId: sent.customerId,
    reference,
    customerEmail: sent.customerEmail ?? null,
    currencyCode: sent.currencyCode,
    paymentUrl: checkoutUrl(simulator, checkout),
  });
}

function checkoutRequestFrom(sent: PayBill, reference: string): CheckoutRequest {
  return {
    token: randomToken(20),
    reference,
    amount: sent.amount,
    currency: 'NGN',
    email: sent.customerEmail ?? sent.customerId,
    returnUrl: sent.redirectUrl,
    channels: [...channels],
  };
}

const transactionQuerySchema = z.object({
  merchantcode: z.string().min(1),
  transactionreference: z.string().min(1),
  amount: z.string().regex(/^\d{1,15}$/),
});

/** Answers 200 always; the response code holds the status. The query has to name the amount requested exactly. */
function getTransaction(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const parsed = transactionQuerySchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalid('E02', `${String(parsed.error.issues[0]?.path[0] ?? 'query')} is invalid`);
  const { merchantcode, transactionreference: reference, amount } = parsed.data;
  note(reference);
  if (merchantcode !== merchantCode(account)) return unknownMerchant(200);
  const checkout = simulator.ledger.ownCheckout(account.id, reference);
  const charge = checkout === null ? null : decisiveCharge(checkout);
  if (checkout === null || charge === null) return json(200, notFound);
  if (Number(amount) !== checkout.amount) return json(200, amountInconsistency);
  return json(200, presentTransaction(account, checkout, charge));
}

const notFound = {
  Amount: 0,
  SplitAccounts: [],
  TransactionDate: '0001-01-01T00:00:00',
  ResponseCode: 'Z25',
  ResponseDescription: 'Transaction not Found',
};

const amountInconsistency = { Amount: 0, SplitAccounts: [], ResponseCode: 'Z1', ResponseDescription: 'Amount Inconsistency' };

const pagingSchema = z.object({
  page_number: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(20).default(20),
});

const searchSchema = z.object({
  merchant_code: z.string().min(1),
  start_date: z.iso.date(),
  end_date: z.iso.date().optional(),
  cursor: z
    .string()
    .regex(/^(\d{1,7})?$/)
    .optional(),
});

/**
 * Transactions of a merchant by day, in Lagos; both days are included. The client ID stands in a header, under the name of either edition
 * of the document. With `cursor`, blank in the first call, an answer has the one to send next and no number of pages.
 */
function quickSearch(request: Inbound, { simulator, account }: ApiContext): Reply {
  const clientId = request.headers.client_id ?? request.headers.clientid;
  if (clientId !== account.credentials.clientId) return problem(401, '401', 'Unauthorized');
  const paging = pagingSchema.safeParse(Object.fromEntries(request.query));
  const search = searchSchema.safeParse(parseJson(request.body));
  if (!paging.success || !search.success) return problem(400, '400', 'Input Validation error');
  if (search.data.merchant_code !== merchantCode(account)) return unknownMerchant(400);
  const { page_number: page, page_size: size } = paging.data;
  const found = simulator.ledger
    .listedCharges(account.id)
    .map(({ checkout, charge }) => presentFound(account, checkout, charge))
    .filter((row) => isWithin(String(row.transaction_date).slice(0, 10), search.data));
  const { cursor } = search.data;
  const start = cursor === undefined ? (page - 1) * size : Number(cursor);
  const end = start + size;
  return json(200, {
    timeStamp: new Date(simulator.now()).toISOString(),
    responseMessage: found.length === 0 ? 'No Record found for this Search' : 'Transactions Received Successfully',
    responseCode: found.length === 0 ? '404' : '202',
    dataSize: found.length,
    ...(cursor === undefined
      ? { totalPages: Math.ceil(found.length / size), pageNumber: page }
      : { cursor: end < found.length ? String(end) : '' }),
    pageSize: size,
    data: found.slice(start, end),
  });
}

function isWithin(day: string, { start_date: first, end_date: last = first }: z.infer<typeof searchSchema>): boolean {
  return day >= first && day <= last;
}

/** Interswitch's calls about refunds. */
export const refundRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/paymentgateway/api/v1/refunds', creates: true, handle: create },
  { method: 'GET', pattern: '/paymentgateway/api/v1/refunds', handle: list },
  { method: 'GET', pattern: '/paymentgateway/api/v1/refunds/:reference', handle: fetchByReference },
];

function create(request: Inbound, context: ApiContext): Reply {
  const { simulator, account, note } = context;
  const body = parseJson(request.body);
  if (body === undefined) return badJson();
  const parsed = refundRequestSchema.safeParse(body);
  if (!parsed.success) return invalid('E02', `${String(parsed.error.issues[0]?.path[0] ?? 'body')} is invalid`);
  const sent = parsed.data;
  const checkout = parentOf(sent, context);
  const charge = checkout === null ? null : paidCharge(checkout);
  if (checkout === null) return problem(404, 'Z25', 'Transaction not Found');
  note(checkout.reference);
  if (charge === null) return problem(400, 'R01', 'Only a successful transaction can be refunded');
  const reference = sent.refundReference ?? undefined;
  if (simulator.ledger.listedRefunds(account.id).some((refund) => refund.reference === reference && reference !== undefined)) {
    return problem(400, 'R02', 'Duplicate refund reference');
  }
  if (sent.refundType === 'PARTIAL' && typeof sent.refundAmount !== 'number') return invalid('E02', 'refundAmount is required');
  const amount = sent.refundType === 'FULL' ? charge.amount : (sent.refundAmount ?? charge.amount);
  const answer = createRefund(simulator, checkout, charge, {
    amount,
    ...(reference === undefined ? {} : { reference }),
    customerNote: null,
    merchantNote: sent.reasonsForRefund ?? null,
  });
  switch (answer.kind) {
    case 'not_paid':
      return problem(400, 'R01', 'Only a successful transaction can be refunded');
    case 'nothing_left':
      return problem(400, 'R03', 'Transaction has been fully refunded');
    case 'too_much':
      return problem(400, 'R04', 'Refund amount is more than what is left of the transaction');
    case 'accepted':
      return json(200, presentRefund(account, answer.refund, checkout, charge));
    default:
      return answer satisfies never;
  }
}

/** By the merchant's reference of the payment, or by the gateway's own id of it. */
function parentOf(sent: z.infer<typeof refundRequestSchema>, context: ApiContext): Checkout | null {
  const { simulator, account } = context;
  const { parentTransactionReference: reference, parentPaymentId: id } = sent;
  if (reference !== null && reference !== undefined) return simulator.ledger.ownCheckout(account.id, reference);
  const found = /^\d{1,16}$/.test(id ?? '') ? simulator.ledger.charge(Number(id)) : null;
  return found !== null && found.checkout.accountId === account.id && isKnown(found.checkout) ? found.checkout : null;
}

function present({ simulator, account }: ApiContext, refund: Refund): Record<string, unknown> | null {
  const found = simulator.ledger.charge(refund.chargeId);
  return found === null ? null : presentRefund(account, refund, found.checkout, found.charge);
}

function fetchByReference(request: Inbound, context: ApiContext): Reply {
  const wanted = request.params.reference ?? '';
  const refund = context.simulator.ledger
    .listedRefunds(context.account.id)
    .find((candidate) => refundReference(candidate) === wanted);
  const shown = refund === undefined ? null : present(context, refund);
  if (refund === undefined || shown === null) return problem(404, '404', 'Refund not found');
  const checkout = context.simulator.ledger.checkout(refund.checkoutId);
  if (checkout !== null) context.note(checkout.reference);
  return json(200, shown);
}

const listSchema = z.object({
  merchantCode: z.string().min(1),
  startDate: z.iso.date(),
  endDate: z.iso.date(),
  pageNumber: z.coerce.number().int().min(1).max(1_000_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(50),
});

/** The refunds of a merchant by day, in Lagos. Both days are included. */
function list(request: Inbound, context: ApiContext): Reply {
  const parsed = listSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalid('E02', `${String(parsed.error.issues[0]?.path[0] ?? 'query')} is invalid`);
  const { merchantCode: merchant, startDate, endDate, pageNumber, pageSize } = parsed.data;
  if (merchant !== merchantCode(context.account)) return unknownMerchant(400);
  const all = context.simulator.ledger.listedRefunds(context.account.id).filter((refund) => {
    const day = lagosTime(refund.createdAt).slice(0, 10);
    return day >= startDate && day <= endDate;
  });
  return json(200, {
    responseCode: '200',
    pageNumber,
    pageSize,
    totalPages: Math.ceil(all.length / pageSize),
    data: all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize).map((refund) => present(context, refund)),
  });
}
