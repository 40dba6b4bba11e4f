import type { components } from './generated/openapi.ts';

/** `data` of an answer that refuses. */
export type FailureData = components['schemas']['Failure']['data'];

/** A rule that a field of the request breaks: `{ field: 'amount', rule: 'must be at least 1', code: 'too_small' }`. */
export interface FieldError {
  readonly field: string;
  readonly rule: string;
  /** The rule for a program: `required`, `too_small`, …; null where the answer has none. New ones may be added. */
  readonly code: string | null;
}

/** Anything that this client throws, apart from the reason of a signal of the caller's own. */
export class SwitchyardError extends Error {
  override readonly name: string = 'SwitchyardError';
}

/** Switchyard answered that it does not do what was asked. Tell the kinds apart by `code`. */
export class SwitchyardApiError extends SwitchyardError {
  override readonly name = 'SwitchyardApiError';
  /** 400 for a broken rule, 401 and 403 for the key, 404, 409 for a conflict, 429, 500, 503; others by what stands in between. */
  readonly statusCode: number;
  /** The code of the error, for a program: `duplicate_order`, …; null where the answer is not Switchyard's own. New ones may be added. */
  readonly code: string | null;
  /** Every rule that the request breaks; none where the message says it all. */
  readonly errors: readonly FieldError[];
  /** Id by which support finds the request; null where the answer is not Switchyard's own. */
  readonly requestId: string | null;
  /** The payment that has the `merchantOrderId` already. */
  readonly paymentId: string | undefined;
  /** INITIATED while the first request with the `merchantOrderId` is still opening a checkout: ask again after `retryAfterS`. */
  readonly paymentStatus: 'INITIATED' | undefined;
  /** Amount left to refund, in whole main units. */
  readonly refundableAmount: number | undefined;
  /** When to try again, in seconds from now; null where the answer does not say. */
  readonly retryAfterS: number | null;

  constructor(answer: {
    readonly statusCode: number;
    readonly message: string;
    readonly code: string | null;
    readonly data: FailureData;
    readonly requestId: string | null;
    readonly retryAfterS: number | null;
  }) {
    super(answer.message);
    this.statusCode = answer.statusCode;
    this.code = answer.code;
    this.errors = (answer.data?.errors ?? []).map((text, at) => readFieldError(text, answer.data?.details[at]));
    this.requestId = answer.requestId;
    this.paymentId = answer.data?.paymentId;
    this.paymentStatus = answer.data?.status;
    this.refundableAmount = answer.data?.refundableAmount;
    this.retryAfterS = answer.retryAfterS;
  }
}

/** An id is no UUID, such as one that a customer changed in the address. Nothing was sent; answer it as a payment that does not exist. */
export class SwitchyardIdError extends SwitchyardError {
  override readonly name = 'SwitchyardIdError';
}

/** No answer came: the address is wrong or the connection broke. `cause` is what `fetch` threw. What was asked may have been done. */
export class SwitchyardConnectionError extends SwitchyardError {
  override readonly name = 'SwitchyardConnectionError';
}

/** No answer came in time. What was asked may have been done. */
export class SwitchyardTimeoutError extends SwitchyardError {
  override readonly name = 'SwitchyardTimeoutError';
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`No answer within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/**
 * A webhook is not from Switchyard, was changed on its way, or is older than five minutes; or the secret is not set, or too short to be one.
 * Answer it 400.
 */
export class SwitchyardSignatureError extends SwitchyardError {
  override readonly name = 'SwitchyardSignatureError';
}

/** `customer.email must be a valid e-mail address`: the field is the first word. */
function readFieldError(text: string, detail: { readonly field: string; readonly code: string } | undefined): FieldError {
  const space = text.indexOf(' ');
  const field = detail?.field ?? (space === -1 ? text : text.slice(0, space));
  return { field, rule: text.slice(field.length + 1), code: detail?.code ?? null };
}
