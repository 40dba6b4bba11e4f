import { findPaymentAnswer } from '@switchyard/payments/answers';
import type { Endpoint } from './endpoint.ts';
import { failures, writeSuccess } from './envelope.ts';
import { writePaymentResource } from './payment-resource.ts';

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
