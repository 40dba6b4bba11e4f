/** The outcome of an endpoint before its envelope. Status codes exist only in this module and above. */
export type Answer =
  | { readonly kind: 'success'; readonly message: string; readonly data: unknown }
  | {
      readonly kind: 'failure';
      readonly statusCode: FailureStatus;
      readonly message: string;
      readonly data: FailureData;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** Status codes of documented failures. */
export type FailureStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503;

/** `data` of a failure's envelope. */
export type FailureData = {
  readonly errors: readonly string[];
  readonly paymentId?: string;
  readonly refundableAmount?: number;
} | null;

/** The documented envelopes: `status` on success, `success` on failure. */
export function envelope(answer: Answer): { statusCode: number; body: string } {
  if (answer.kind === 'success') {
    const { message, data } = answer;
    return { statusCode: 200, body: JSON.stringify({ status: true, statusCode: 200, message, data }) };
  }
  const { statusCode, message, data } = answer;
  return { statusCode, body: JSON.stringify({ success: false, statusCode, message, data }) };
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

/** Every documented failure of the REST API, with its status and message. */
export const failures = {
  badRequest: (errors: readonly string[]): Answer => fail(400, 'Bad request', { errors }),
  invalidKey: (): Answer => fail(401, 'Invalid API key', null, { 'www-authenticate': 'Bearer' }),
  addressNotAllowed: (address: string | null): Answer =>
    fail(403, `This API key must not be used from ${address ?? 'an unknown address'}`, null),
  missingScope: (scope: string): Answer => fail(403, `This API key lacks the scope ${scope}`, null),
  paymentNotFound: (): Answer => fail(404, 'Payment not found', null),
  settlementNotFound: (): Answer => fail(404, 'Settlement not found', null),
  refundNotFound: (): Answer => fail(404, 'Refund not found', null),
  disputeNotFound: (): Answer => fail(404, 'Dispute not found', null),
  pathNotFound: (): Answer => fail(404, 'Resource not found', null),
  methodNotAllowed: (allow: readonly string[]): Answer =>
    fail(405, `Method not allowed; use ${allow.join(' or ')}`, null, { allow: allow.join(', ') }),
  duplicateOrder: (paymentId: string): Answer =>
    fail(409, 'A payment with this merchantOrderId exists already', {
      errors: ['merchantOrderId must be unique for every payment request'],
      paymentId,
    }),
  notRefundable: (message: string, refundable: bigint): Answer =>
    fail(409, message, {
      errors: [`amount must be at most what is left to refund: ${refundable}`],
      refundableAmount: Number(refundable),
    }),
  requestInFlight: (): Answer =>
    fail(
      409,
      'The first request with this Idempotency-Key is still being worked on',
      { errors: ['Idempotency-Key is in use by a request in flight'] },
      { 'retry-after': RETRY_AFTER_S },
    ),
  bodyTooLarge: (maxBytes: number): Answer =>
    fail(413, 'Request body too large', { errors: [`body must not exceed ${maxBytes} bytes`] }),
  unsupportedMediaType: (): Answer => fail(415, 'Unsupported media type', { errors: ['Content-Type must be application/json'] }),
  otherRequest: (): Answer =>
    fail(422, 'This Idempotency-Key was used for another request', {
      errors: ['Idempotency-Key must be used with one request only'],
    }),
  tooManyRequests: (retryAfterS: number): Answer =>
    fail(429, 'Too many requests', null, { 'retry-after': String(Math.max(1, Math.ceil(retryAfterS))) }),
  unavailable: (): Answer => fail(503, 'Service unavailable; try again shortly', null, { 'retry-after': RETRY_AFTER_S }),
  internal: (requestId: string): Answer => fail(500, `Internal error; request ${requestId}`, null),
};

/** The name of a documented failure. */
export type FailureName = keyof typeof failures;

function fail(statusCode: FailureStatus, message: string, data: FailureData, headers?: Record<string, string>): Answer {
  return { kind: 'failure', statusCode, message, data, ...(headers && { headers }) };
}
