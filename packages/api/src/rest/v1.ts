import type { PlainRequest, PlainResponse } from '../http/plain.ts';
import type { Switchyard } from '../process.ts';
import { checkRules, createRuleDraft, getRules, sendTestEvent } from './developers.ts';
import { getDispute, getDisputes } from './disputes.ts';
import { type Endpoint, serve } from './endpoint.ts';
import { getEvents, streamEvents } from './events.ts';
import { initiatePayment } from './initiate-payment.ts';
import { getPayment, getPayments, verifyPayment } from './payments.ts';
import { getRefund, getRefunds, requestPaymentRefund } from './refunds.ts';
import { type RouteLine, routeFinder } from './route-table.ts';
import { getSettlement, getSettlementLines, getSettlements } from './settlements.ts';

/** Every path under `/v1` that requires a key. */
export const V1_ROUTES: readonly RouteLine<Endpoint>[] = [
  { path: '/v1/payments/initiate', endpoints: [initiatePayment] },
  { path: '/v1/payments', endpoints: [getPayments] },
  { path: '/v1/disputes', endpoints: [getDisputes] },
  { path: '/v1/disputes/{disputeId}', endpoints: [getDispute] },
  { path: '/v1/events', endpoints: [getEvents] },
  { path: '/v1/events/stream', endpoints: [streamEvents] },
  { path: '/v1/events/test', endpoints: [sendTestEvent] },
  { path: '/v1/settlements', endpoints: [getSettlements] },
  { path: '/v1/settlements/{settlementId}', endpoints: [getSettlement] },
  { path: '/v1/settlements/{settlementId}/lines', endpoints: [getSettlementLines] },
  { path: '/v1/rules', endpoints: [getRules] },
  { path: '/v1/rules/check', endpoints: [checkRules] },
  { path: '/v1/rules/drafts', endpoints: [createRuleDraft] },
  { path: '/v1/payments/{paymentId}', endpoints: [getPayment] },
  { path: '/v1/payments/{paymentId}/verify', endpoints: [verifyPayment] },
  { path: '/v1/payments/{paymentId}/refunds', endpoints: [getRefunds, requestPaymentRefund] },
  { path: '/v1/payments/{paymentId}/refunds/{refundId}', endpoints: [getRefund] },
];
const findRoute = routeFinder(V1_ROUTES);

/** Serves every path under `/v1` that requires a key. */
export function serveV1(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  return serve(switchyard, request, findRoute);
}
