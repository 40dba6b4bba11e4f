import { z } from 'zod';
import { type Checkout, decisiveCharge, type Refund } from '../ledger/records.ts';
import { createRefund, endRefund, type RefundAnswer, scheduleRefund } from '../refunds.ts';
import { type Inbound, json, parseJson, type Reply } from '../server/router.ts';
import type { ApiContext, ApiRoute } from '../simulator.ts';
import { ownTransaction } from './transaction-routes.ts';
import { badJson, presentRefund, presentTransaction, problem, refundRequestSchema, transactionNotFound } from './wire.ts';

/** Paystack's calls about refunds. */
export const refundRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/refund', creates: true, handle: create },
  { method: 'GET', pattern: '/refund', handle: list },
  { method: 'GET', pattern: '/refund/:id', handle: fetchById },
  { method: 'POST', pattern: '/refund/retry_with_customer_details/:id', handle: retry },
];

function create(request: Inbound, context: ApiContext): Reply {
  const { simulator, account, note } = context;
  const body = parseJson(request.body);
  if (body === undefined) return badJson();
  const parsed = refundRequestSchema.safeParse(body);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? 'transaction');
    if (field === 'amount')
      return problem(400, 'Invalid Amount Sent', 'invalid_amount', 'Send the amount in kobo: a positive integer');
    return problem(400, `${field} is required`, 'missing_params', `Provide ${field} in the request`);
  }
  const checkout = ownTransaction(simulator, account, String(parsed.data.transaction));
  if (checkout === null) return transactionNotFound(404);
  note(checkout.reference);
  const charge = decisiveCharge(checkout);
  const answer = createRefund(simulator, checkout, charge, {
    amount: parsed.data.amount ?? null,
    customerNote: parsed.data.customer_note ?? null,
    merchantNote: parsed.data.merchant_note ?? null,
  });
  return answerRefund(answer, checkout, context);
}

function answerRefund(answer: RefundAnswer, checkout: Checkout, { simulator, account }: ApiContext): Reply {
  switch (answer.kind) {
    case 'not_paid':
      return problem(
        400,
        'Transaction has not been paid for',
        'invalid_transaction_status',
        'Refund only a successful transaction',
      );
    case 'nothing_left':
      return problem(400, 'Transaction has been fully reversed', 'transaction_reversed', 'Nothing is left to refund');
    case 'too_much':
      return problem(
        400,
        'Refund amount cannot be more than the original transaction amount',
        'invalid_amount',
        `Refund at most ${answer.left}`,
      );
    case 'accepted': {
      const data = presentRefund(simulator, account, answer.refund, checkout, presentTransaction(simulator, account, checkout));
      return json(200, { status: true, message: 'Refund has been queued for processing', data });
    }
    default:
      return answer satisfies never;
  }
}

function ownRefund(request: Inbound, { simulator, account }: ApiContext): { refund: Refund; checkout: Checkout } | null {
  const refund = /^\d{1,16}$/.test(request.params.id ?? '') ? simulator.ledger.refund(Number(request.params.id)) : null;
  const checkout = refund === null ? null : simulator.ledger.checkout(refund.checkoutId);
  return refund?.accountId === account.id && !refund.hidden && checkout !== null ? { refund, checkout } : null;
}

const refundNotFound = (): Reply => problem(404, 'Refund not found', 'refund_not_found', 'Pass the id of one of your refunds');

function fetchById(request: Inbound, context: ApiContext): Reply {
  const own = ownRefund(request, context);
  if (own === null) return refundNotFound();
  context.note(own.checkout.reference);
  const data = presentRefund(context.simulator, context.account, own.refund, own.checkout, own.checkout.id);
  return json(200, { status: true, message: 'Refund retrieved', data });
}

/** Only a refund that needs attention takes the customer's bank details; it is then on its way again. */
function retry(request: Inbound, context: ApiContext): Reply {
  const own = ownRefund(request, context);
  if (own === null) return refundNotFound();
  context.note(own.checkout.reference);
  if (own.refund.status !== 'needs-attention') {
    return problem(
      400,
      'Refund does not need attention',
      'invalid_params',
      'Retry only a refund whose status is needs-attention',
    );
  }
  endRefund(context.simulator, own.refund, 'processing');
  scheduleRefund(context.simulator, own.refund);
  const data = presentRefund(context.simulator, context.account, own.refund, own.checkout, own.checkout.id);
  return json(200, { status: true, message: 'Refund retried and has been queued for processing', data });
}

const listSchema = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  perPage: z.coerce.number().int().min(1).max(100).default(50),
  transaction: z.string().optional(),
  /** The transaction's reference; an older name of the filter, for references alone. */
  reference: z.string().optional(),
  currency: z.string().optional(),
  from: z.iso.datetime({ offset: true }).or(z.iso.date()).optional(),
  to: z.iso.datetime({ offset: true }).or(z.iso.date()).optional(),
});

function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = listSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success)
    return problem(
      400,
      'Invalid query',
      'invalid_params',
      'page and perPage count from 1, perPage to 100; from and to are dates',
    );
  const { page, perPage, transaction, reference, currency, from, to } = parsed.data;
  const only = transaction === undefined ? null : ownTransaction(simulator, account, transaction);
  const under = reference === undefined ? null : (simulator.ledger.checkoutsByReference(account.id, reference)[0] ?? null);
  const all = simulator.ledger.listedRefunds(account.id).filter((refund) => {
    const at = Date.parse(refund.createdAt);
    return (
      (transaction === undefined || refund.checkoutId === only?.id) &&
      (reference === undefined || refund.checkoutId === under?.id) &&
      (currency === undefined || refund.currency === currency) &&
      (from === undefined || at >= Date.parse(from)) &&
      (to === undefined || at <= Date.parse(to))
    );
  });
  const data = all.slice((page - 1) * perPage, page * perPage).flatMap((refund) => {
    const checkout = simulator.ledger.checkout(refund.checkoutId);
    return checkout === null ? [] : [presentRefund(simulator, account, refund, checkout, refund.checkoutId)];
  });
  const meta = { total: all.length, skipped: (page - 1) * perPage, perPage, page, pageCount: Math.ceil(all.length / perPage) };
  return json(200, { status: true, message: 'Refunds retrieved', data, meta });
}
