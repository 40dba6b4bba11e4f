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
export type FailureCode = (typeof FAILURE_CODES)[number];

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
