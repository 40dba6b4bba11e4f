/** Why a request of a dialect is refused. Each dialect has its own words, status and form for it. */
export type Problem =
  | { readonly kind: 'invalid_key' }
  | { readonly kind: 'address_not_allowed'; readonly address: string | null }
  | { readonly kind: 'missing_scope'; readonly scope: string }
  | { readonly kind: 'too_many_requests'; readonly retryAfterS: number }
  /** No call of the gateway that is answered here. */
  | { readonly kind: 'path_not_mapped' }
  | { readonly kind: 'method_not_allowed'; readonly allow: readonly string[] }
  | { readonly kind: 'body_too_large' }
  | { readonly kind: 'body_encoded' }
  | { readonly kind: 'body_unreadable' }
  | { readonly kind: 'missing_field'; readonly field: string }
  /** `rule` continues a sentence that begins with the field. */
  | { readonly kind: 'invalid_field'; readonly field: string; readonly rule: string }
  /** A field that cannot be mapped; see `mappings.ts`. */
  | { readonly kind: 'field_not_mapped'; readonly field: string; readonly why: string }
  | { readonly kind: 'duplicate_reference' }
  /** The first request with the key, or of the reference, has no answer yet. */
  | { readonly kind: 'in_flight'; readonly field: string }
  /** An `Idempotency-Key` of another request. */
  | { readonly kind: 'key_reused' }
  | { readonly kind: 'transaction_not_found'; readonly by: 'verify' | 'other' }
  | { readonly kind: 'refund_not_found' }
  | { readonly kind: 'no_gateway_opened' }
  | { readonly kind: 'not_paid' }
  /** `left` in whole main units. */
  | { readonly kind: 'refund_too_large'; readonly left: bigint }
  /** A page that too many rows come before, or rows that are too many to count. */
  | { readonly kind: 'list_too_long' }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'internal'; readonly requestId: string };

/** A value read from a request, or why it is refused. */
export type Read<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** A value that was read. */
export function read<Value>(value: Value): Read<Value> {
  return { kind: 'read', value };
}

/** A refusal. */
export function refused(problem: Problem): { readonly kind: 'refused'; readonly problem: Problem } {
  return { kind: 'refused', problem };
}

/** Gateways whose API is answered in their own form. */
export const DIALECTS = ['paystack', 'flutterwave'] as const;

/** A gateway's way of speaking: its fields, its units, its errors. */
export type Dialect = (typeof DIALECTS)[number];

/** An HTTP answer in a dialect; the body is JSON text. */
export interface DialectAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
