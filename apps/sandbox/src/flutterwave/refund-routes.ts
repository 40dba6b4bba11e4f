import { z } from 'zod';
import { newestFirst } from '../ledger/records.ts';
import { createRefund } from '../refunds.ts';
import { type Inbound, json, parseJson, type Reply } from '../server/router.ts';
import type { ApiContext, ApiRoute } from '../simulator.ts';
import { ownCharge } from './payment-routes.ts';
import { presentListedRefund, presentRefund, refundStatus } from './present.ts';
import { problem, refundRequestSchema, transactionNotFound } from './wire.ts';

/** Flutterwave's calls about refunds. */
export const refundRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/v3/transactions/:id/refund', creates: true, handle: create },
  { method: 'GET', pattern: '/v3/refunds', handle: list },
  { method: 'GET', pattern: '/v3/refunds/:id', handle: fetchById },
];

function create(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const own = ownCharge(simulator, account, request.params.id ?? '');
  if (own === null) return transactionNotFound();
  note(own.checkout.reference);
  const body = request.body.length === 0 ? {} : parseJson(request.body);
  const parsed = refundRequestSchema.safeParse(body);
  if (!parsed.success) return problem(400, `${String(parsed.error.issues[0]?.path[0] ?? 'body')} is invalid`);
  const answer = createRefund(simulator, own.checkout, own.charge, {
    amount: parsed.data.amount ?? null,
    customerNote: null,
    merchantNote: parsed.data.comments ?? null,
  });
  switch (answer.kind) {
    case 'not_paid':
      return problem(400, 'Only successful transactions can be refunded');
    case 'nothing_left':
      return problem(400, 'Transaction has been fully refunded');
    case 'too_much':
      return problem(400, 'Refund amount is greater than the refundable amount of this transaction');
    case 'accepted': {
      const data = presentRefund(account, answer.refund, own.charge);
      return json(200, { status: 'success', message: 'Transaction refund initiated', data });
    }
    default:
      return answer satisfies never;
  }
}

function fetchById(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const id = request.params.id ?? '';
  const refund = /^\d{1,16}$/.test(id) ? simulator.ledger.refund(Number(id)) : null;
  const found = refund === null ? null : simulator.ledger.charge(refund.chargeId);
  if (refund === null || found === null || refund.accountId !== account.id || refund.hidden)
    return problem(400, 'No refund was found for this id');
  note(found.checkout.reference);
  return json(200, {
    status: 'success',
    message: 'Transaction refund fetched',
    data: presentRefund(account, refund, found.charge),
  });
}

const pageSize = 20;

const listSchema = z.object({
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  status: z.string().optional(),
  currency: z.string().optional(),
});

function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = listSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return problem(400, `${String(parsed.error.issues[0]?.path[0] ?? 'query')} is invalid`);
  const { page, from, to, status, currency } = parsed.data;
  const all = simulator.ledger
    .refunds()
    .filter((refund) => {
      const day = refund.createdAt.slice(0, 10);
      return (
        refund.accountId === account.id &&
        !refund.hidden &&
        (from === undefined || day >= from) &&
        (to === undefined || day <= to) &&
        (currency === undefined || refund.currency === currency)
      );
    })
    .sort(newestFirst)
    .flatMap((refund) => {
      const found = simulator.ledger.charge(refund.chargeId);
      return found === null ? [] : [{ refund, charge: found.charge }];
    })
    .filter(({ refund, charge }) => status === undefined || refundStatus(account, refund, charge) === status);
  const data = all
    .slice((page - 1) * pageSize, page * pageSize)
    .map(({ refund, charge }) => presentListedRefund(account, refund, charge));
  const total_pages = Math.ceil(all.length / pageSize);
  const page_info = { total: all.length, current_page: page, total_pages, page_size: pageSize };
  return json(200, { status: 'success', message: 'Refunds fetched', meta: { page_info }, data });
}
