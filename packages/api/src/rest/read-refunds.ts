import { listRefunds, readOneRefund, refundResource } from '@switchyard/payments/refunds';
import type { Endpoint } from './endpoint.ts';
import { failures, succeed } from './envelope.ts';
import { describeIssues } from './issues.ts';
import { refundListQuery } from './list-queries.ts';
import { pageCursor } from './page-cursor.ts';

/** `GET /v1/payments/{paymentId}/refunds` */
export const getRefunds: Endpoint = {
  method: 'GET',
  scope: 'refunds:read',
  async serve({ payments }, { caller, params, request, timings }) {
    const parsed = refundListQuery.safeParse(Object.fromEntries(new URLSearchParams(request.query)), { reportInput: true });
    if (!parsed.success) return failures.badRequest(describeIssues(parsed.error.issues));
    const { limit, cursor } = parsed.data;
    const query = { paymentId: params.paymentId ?? '', limit, after: cursor ?? null };
    const found = await listRefunds(payments, caller, query, timings);
    if (found === undefined) return failures.paymentNotFound();
    const nextCursor = found.next === null ? null : pageCursor(found.next);
    return succeed('Refunds retrieved', { refunds: found.items.map(refundResource), nextCursor });
  },
};

/** `GET /v1/payments/{paymentId}/refunds/{refundId}` */
export const getRefund: Endpoint = {
  method: 'GET',
  scope: 'refunds:read',
  async serve({ payments }, { caller, params, timings }) {
    const key = { paymentId: params.paymentId ?? '', refundId: params.refundId ?? '' };
    const refund = await readOneRefund(payments, caller, key, timings);
    return refund === undefined ? failures.refundNotFound() : succeed('Refund retrieved', refundResource(refund));
  },
};
