import { listPaymentAnswers } from '@switchyard/payments/list-answers';
import type { Endpoint } from './endpoint.ts';
import { failures, writeSuccess } from './envelope.ts';
import { paymentListQuery } from './list-queries.ts';
import { pageCursor } from './page-cursor.ts';
import { writePaymentResource } from './payment-resource.ts';
import { readListQuery } from './read-query.ts';

/** `GET /v1/payments` */
export const getPayments: Endpoint = {
  method: 'GET',
  scope: 'payments:read',
  async serve({ payments }, { caller, request, timings }) {
    const read = readListQuery(request, paymentListQuery);
    if ('errors' in read) return failures.badRequest(read.errors);
    const { status: statuses, cursor, ...query } = read.value;
    const { items, next } = await listPaymentAnswers(payments, caller, { ...query, statuses, after: cursor ?? null }, timings);
    const nextCursor = JSON.stringify(next === null ? null : pageCursor(next));
    const data = `{"payments":[${items.map(writePaymentResource).join(',')}],"nextCursor":${nextCursor}}`;
    return { kind: 'written', statusCode: 200, body: writeSuccess('Payments retrieved', data) };
  },
};
