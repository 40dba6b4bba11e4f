import { eventRecord } from '@switchyard/payments';
import { findPaymentAnswer } from '@switchyard/payments/answers';
import { listPaymentAnswers } from '@switchyard/payments/list-answers';
import { verify } from '@switchyard/payments/verify';
import { type Endpoint, endpointWithBody } from './endpoint.ts';
import { failures, succeed, writeSuccess } from './envelope.ts';
import { pageCursor, paymentListQuery, readListQuery } from './list-queries.ts';
import { writePaymentResource } from './payment-resource.ts';
import { type VerifyRequest, verifyRequest } from './requests.ts';

/** `GET /v1/payments/{paymentId}` */
export const getPayment: Endpoint = {
  method: 'GET',
  scope: 'payments:read',
  async serve(switchyard, { caller, params, timings }) {
    const payment = await findPaymentAnswer(switchyard.payments, caller, params.paymentId ?? '', timings);
    if (payment === undefined) return failures.paymentNotFound();
    return { kind: 'written', statusCode: 200, body: writeSuccess('Payment retrieved', writePaymentResource(payment)) };
  },
};

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

/** `POST /v1/payments/{paymentId}/verify` */
export const verifyPayment = endpointWithBody<VerifyRequest>({
  method: 'POST',
  scope: 'payments:write',
  body: { test: verifyRequest, live: verifyRequest },
  optional: true,
  async run(switchyard, { caller, params, body, timings }) {
    const options = { transactionId: body.transactionId ?? null, cause: 'api' } as const;
    const verified = await verify(switchyard.payments, caller, params.paymentId ?? '', options, timings);
    if (verified === undefined) return failures.paymentNotFound();
    const { payment, isCurrent } = verified;
    const message = isCurrent
      ? MESSAGES[payment.status]
      : `${MESSAGES[payment.status]}, as last known: its gateway gave no answer`;
    return succeed(message, eventRecord(payment, caller.configuration.merchant.merchantNumber));
  },
});

const MESSAGES = {
  INITIATED: 'Payment is pending',
  PENDING: 'Payment is pending',
  SUCCESS: 'Payment has already succeeded',
  FAILED: 'Payment failed',
  REFUNDED: 'Payment was refunded',
} as const;
