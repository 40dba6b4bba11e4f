import type { Switchyard } from '../process.ts';
import { type Route, serve } from './endpoint.ts';
import { getPayment } from './get-payment.ts';
import { initiatePayment } from './initiate-payment.ts';
import type { RestRequest, RestResponse } from './plain.ts';
import { verifyPayment } from './verify-payment.ts';

const INITIATE = '/v1/payments/initiate';
const PAYMENT = /^\/v1\/payments\/([^/]+)$/;
const VERIFY = /^\/v1\/payments\/([^/]+)\/verify$/;

/** Serves everything under `/v1` that needs a key. */
export function serveV1(switchyard: Switchyard, request: RestRequest): Promise<RestResponse> {
  return serve(switchyard, request, findRoute);
}

function findRoute(path: string): Route | null {
  if (path === INITIATE) return { endpoints: [initiatePayment], params: {} };
  const payment = PAYMENT.exec(path);
  if (payment !== null) return { endpoints: [getPayment], params: { paymentId: payment[1] ?? '' } };
  const verify = VERIFY.exec(path);
  return verify === null ? null : { endpoints: [verifyPayment], params: { paymentId: verify[1] ?? '' } };
}
