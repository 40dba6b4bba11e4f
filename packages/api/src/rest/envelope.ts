/** Codes of failures, for programs to branch on: each keeps its meaning within `/v1`, and new ones may be added. */
export const FAILURE_CODES = [
  'bad_request',
  'invalid_api_key',
  'address_not_allowed',
  'missing_scope',
  'payment_not_found',
  'refund_not_found',
  'dispute_not_found',
  'settlement_not_found',
  'path_not_found',
  'method_not_allowed',
  'duplicate_order',
  'not_refundable',
  'request_in_flight',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_key_reused',
  'too_many_requests',
  'internal_error',
  'service_unavailable',
] as const;

/** One of {@link FAILURE_CODES}. */
type FailureCode = (typeof FAILURE_CODES)[number];

/** Codes of the rules that a field of a request can break; as stable as {@link FAILURE_CODES}. */
export const FIELD_ERROR_CODES = [
  'required',
  'invalid_type',
  'invalid_format',
  'invalid_value',
  'too_small',
  'too_large',
  'too_short',
  'too_long',
  'unknown_field',
  'repeated',
  'not_unique',
  'in_use',
] as const;

/** One of {@link FIELD_ERROR_CODES}. */
export type FieldErrorCode = (typeof FIELD_ERROR_CODES)[number];

/** The outcome of an endpoint before its envelope. Status codes exist only in this module and above. */
export type Answer =
  | { readonly kind: 'success'; readonly message: string; readonly data: unknown }
  | {
      readonly kind: 'failure';
      readonly statusCode: FailureStatus;
      readonly code: FailureCode;
      readonly message: string;
      readonly data: FailureData;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** Status codes of documented failures. */
export type FailureStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503;

/** A rule that a field of a request breaks. `field` and `rule` make a sentence: `amount must be at least 1`. */
export interface FieldError {
  readonly field: string;
  readonly code: FieldErrorCode;
  readonly rule: string;
}

/** `data` of a failure's envelope; `details` are of `errors`, in their order. */
export type FailureData = {
  readonly errors: readonly string[];
  readonly details: readonly Pick<FieldError, 'field' | 'code'>[];
  readonly paymentId?: string;
  readonly status?: 'INITIATED';
  readonly refundableAmount?: number;
} | null;

/** The documented envelopes: `status` on success, `success` on failure. */
export function envelope(answer: Answer): { statusCode: number; body: string } {
  if (answer.kind === 'success') {
    const { message, data } = answer;
    return { statusCode: 200, body: JSON.stringify({ status: true, statusCode: 200, message, data }) };
  }
  const { statusCode, code, message, data } = answer;
  return { statusCode, body: JSON.stringify({ success: false, statusCode, message, code, data }) };
}

/** The success envelope around data that is JSON text already. */
export function writeSuccess(message: string, data: string): string {
  return `{"status":true,"statusCode":200,"message":${JSON.stringify(message)},"data":${data}}`;
}

/** The answer to a request that succeeded: status 200 in the envelope of the contract. */
export function succeed(message: string, data: unknown): Answer {
  return { kind: 'success', message, data };
}

const RETRY_AFTER_S = '2';

/** Every documented failure of the REST API, with its status, code and message. */
export const failures = {
  badRequest: (errors: readonly FieldError[]): Answer => fail(400, 'bad_request', 'Bad request', dataOf(errors)),
  invalidKey: (): Answer => fail(401, 'invalid_api_key', 'Invalid API key', null, { 'www-authenticate': 'Bearer' }),
  addressNotAllowed: (address: string | null): Answer =>
    fail(403, 'address_not_allowed', `This API key must not be used from ${address ?? 'an unknown address'}`, null),
  missingScope: (scope: string): Answer => fail(403, 'missing_scope', `This API key lacks the scope ${scope}`, null),
  paymentNotFound: (): Answer => fail(404, 'payment_not_found', 'Payment not found', null),
  settlementNotFound: (): Answer => fail(404, 'settlement_not_found', 'Settlement not found', null),
  refundNotFound: (): Answer => fail(404, 'refund_not_found', 'Refund not found', null),
  disputeNotFound: (): Answer => fail(404, 'dispute_not_found', 'Dispute not found', null),
  pathNotFound: (): Answer => fail(404, 'path_not_found', 'Resource not found', null),
  methodNotAllowed: (allow: readonly string[]): Answer =>
    fail(405, 'method_not_allowed', `Method not allowed; use ${allow.join(' or ')}`, null, { allow: allow.join(', ') }),
  /** INITIATED while the first request is still opening a checkout: it is not known yet whether the payment will have one. */
  duplicateOrder: (paymentId: string, status: 'INITIATED' | null): Answer => {
    const error = { field: 'merchantOrderId', code: 'not_unique', rule: 'must be unique for every payment request' } as const;
    const data = { ...dataOf([error]), paymentId };
    if (status === null) return fail(409, 'duplicate_order', 'A payment with this merchantOrderId exists already', data);
    const message = 'The first request with this merchantOrderId is still opening a checkout';
    return fail(409, 'duplicate_order', message, { ...data, status }, { 'retry-after': RETRY_AFTER_S });
  },
  notRefundable: (message: string, refundable: bigint): Answer => {
    const rule = `must be at most what is left to refund: ${refundable}`;
    const data = dataOf([{ field: 'amount', code: 'too_large', rule }]);
    return fail(409, 'not_refundable', message, { ...data, refundableAmount: Number(refundable) });
  },
  requestInFlight: (): Answer =>
    fail(
      409,
      'request_in_flight',
      'The first request with this Idempotency-Key is still being worked on',
      dataOf([{ field: 'Idempotency-Key', code: 'in_use', rule: 'is in use by a request in flight' }]),
      { 'retry-after': RETRY_AFTER_S },
    ),
  bodyTooLarge: (maxBytes: number): Answer => {
    const data = dataOf([{ field: 'body', code: 'too_long', rule: `must not exceed ${maxBytes} bytes` }]);
    return fail(413, 'body_too_large', 'Request body too large', data);
  },
  unsupportedMediaType: (header: 'Content-Type' | 'Content-Encoding' = 'Content-Type'): Answer => {
    const rule = header === 'Content-Type' ? 'must be application/json' : 'must be left out: send the body uncompressed';
    const data = dataOf([{ field: header, code: 'invalid_value', rule }]);
    return fail(415, 'unsupported_media_type', 'Unsupported media type', data);
  },
  otherRequest: (): Answer => {
    const data = dataOf([{ field: 'Idempotency-Key', code: 'repeated', rule: 'must be used with one request only' }]);
    return fail(422, 'idempotency_key_reused', 'This Idempotency-Key was used for another request', data);
  },
  tooManyRequests: (retryAfterS: number): Answer =>
    fail(429, 'too_many_requests', 'Too many requests', null, { 'retry-after': String(Math.max(1, Math.ceil(retryAfterS))) }),
  unavailable: (): Answer =>
    fail(503, 'service_unavailable', 'Service unavailable; try again shortly', null, { 'retry-after': RETRY_AFTER_S }),
  internal: (requestId: string): Answer => fail(500, 'internal_error', `Internal error; request ${requestId}`, null),
};

/** The name of a documented failure. */
export type FailureName = keyof typeof failures;

function dataOf(errors: readonly FieldError[]): NonNullable<FailureData> {
  return {
    errors: errors.map(({ field, rule }) => `${field} ${rule}`),
    details: errors.map(({ field, code }) => ({ field, code })),
  };
}

function fail(
  statusCode: FailureStatus,
  code: FailureCode,
  message: string,
  data: FailureData,
  headers?: Record<string, string>,
): Answer {
  return { kind: 'failure', statusCode, code, message, data, ...(headers && { headers }) };
}
