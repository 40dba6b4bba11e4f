import { findPayment } from '@switchyard/payments';
import type { Endpoint } from './endpoint.ts';
import { failures, succeed } from './envelope.ts';
import { paymentResource } from './payment-resource.ts';

/** `GET /v1/payments/{paymentId}` */
export const getPayment: Endpoint = {
  method: 'GET',
  async serve(switchyard, { caller, params, timings }) {
    const payment = await findPayment(switchyard.payments, caller, params.paymentId ?? '', timings);
    return payment === undefined ? failures.paymentNotFound() : succeed('Payment retrieved', paymentResource(payment));
  },
};
