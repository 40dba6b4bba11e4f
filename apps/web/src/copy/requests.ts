import type { RouterOutputs } from '../trpc/outputs.ts';
import type { Tone } from './payment-status.ts';

/** A request with an API key, as the server lists it. */
export type ApiRequest = RouterOutputs['requests']['list']['items'][number];

/** The outcomes of requests, in the order in which filters list them. */
export const REQUEST_OUTCOMES = ['succeeded', 'refused', 'failed', 'unanswered'] as const;

/** An outcome as people read it. */
export const OUTCOME_LABELS: Readonly<Record<(typeof REQUEST_OUTCOMES)[number], string>> = {
  succeeded: 'Succeeded (2xx)',
  refused: 'Refused (4xx)',
  failed: 'Failed (5xx)',
  unanswered: 'Not answered',
};

/** The status of a response as people read it; null where the client left before it. */
export function describeStatus(status: number | null): { readonly word: string; readonly tone: Tone; readonly meaning: string } {
  if (status === null) return { word: 'Not answered', tone: 'over', meaning: 'The client left before the response.' };
  const word = `HTTP ${status}`;
  if (status >= 500) return { word, tone: 'bad', meaning: 'A fault on our side, or too much to do.' };
  if (status >= 400) return { word, tone: 'wait', meaning: 'Refused: the response says why.' };
  return { word, tone: 'good', meaning: 'Answered.' };
}

/** Where the documentation explains each code of an error. */
const ERROR_ANCHORS: Readonly<Record<string, string>> = {
  bad_request: 'badRequest',
  invalid_api_key: 'invalidKey',
  address_not_allowed: 'addressNotAllowed',
  missing_scope: 'missingScope',
  payment_not_found: 'paymentNotFound',
  refund_not_found: 'refundNotFound',
  dispute_not_found: 'disputeNotFound',
  settlement_not_found: 'settlementNotFound',
  path_not_found: 'pathNotFound',
  method_not_allowed: 'methodNotAllowed',
  duplicate_order: 'duplicateOrder',
  not_refundable: 'notRefundable',
  request_in_flight: 'requestInFlight',
  body_too_large: 'bodyTooLarge',
  unsupported_media_type: 'unsupportedMediaType',
  idempotency_key_reused: 'otherRequest',
  too_many_requests: 'tooManyRequests',
  internal_error: 'internal',
  service_unavailable: 'unavailable',
};

/** The address of the documentation of an error, by its code. */
export function errorHref(code: string): string {
  return `/docs/errors#${ERROR_ANCHORS[code] ?? 'overview'}`;
}
