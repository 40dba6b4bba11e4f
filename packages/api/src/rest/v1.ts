import type { PlainRequest, PlainResponse } from '../http/plain.ts';
import type { Switchyard } from '../process.ts';
import { type Endpoint, type Route, serve } from './endpoint.ts';
import { getPayment } from './get-payment.ts';
import { initiatePayment } from './initiate-payment.ts';
import { getEvents } from './list-events.ts';
import { getPayments } from './list-payments.ts';
import { getRefund, getRefunds } from './read-refunds.ts';
import { requestPaymentRefund } from './request-refund.ts';
import { checkRules, createRuleDraft, getRules } from './rules.ts';
import { sendTestEvent } from './send-test-event.ts';
import { streamEvents } from './stream-events.ts';
import { verifyPayment } from './verify-payment.ts';

const INITIATE = '/v1/payments/initiate';
const PAYMENTS = '/v1/payments';
const EVENTS = '/v1/events';
/** Paths of one endpoint without parameters. */
const SINGLE: Readonly<Record<string, Endpoint>> = {
  '/v1/events/stream': streamEvents,
  '/v1/events/test': sendTestEvent,
  '/v1/rules': getRules,
  '/v1/rules/check': checkRules,
  '/v1/rules/drafts': createRuleDraft,
};
/** A payment, its sub-resource, and the id in it. */
const PAYMENT = /^\/v1\/payments\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/;

/** Serves every path under `/v1` that requires a key. */
export function serveV1(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  return serve(switchyard, request, findRoute);
}

function findRoute(path: string): Route | null {
  if (path === INITIATE) return { endpoints: [initiatePayment], params: {} };
  if (path === PAYMENTS) return { endpoints: [getPayments], params: {} };
  if (path === EVENTS) return { endpoints: [getEvents], params: {} };
  const single = Object.hasOwn(SINGLE, path) ? SINGLE[path] : undefined;
  if (single !== undefined) return { endpoints: [single], params: {} };
  const [, paymentId = '', action, refundId] = PAYMENT.exec(path) ?? [];
  const params = { paymentId, refundId: refundId ?? '' };
  if (paymentId === '') return null;
  if (refundId !== undefined) return action === 'refunds' ? { endpoints: [getRefund], params } : null;
  switch (action) {
    case undefined:
      return { endpoints: [getPayment], params };
    case 'verify':
      return { endpoints: [verifyPayment], params };
    case 'refunds':
      return { endpoints: [getRefunds, requestPaymentRefund], params };
    default:
      return null;
  }
}
