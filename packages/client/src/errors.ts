import type { components } from './generated/openapi.ts';

/** `data` of an answer that refuses. */
export type FailureData = components['schemas']['Failure']['data'];

/** A rule that a field of the request breaks: `{ field: 'amount', rule: 'must be at least 1' }`. */
export interface FieldError {
  readonly field: string;
  readonly rule: string;
}

/** Anything that this client throws, apart from the reason of a signal of the caller's own. */
export class SwitchyardError extends Error {
  override readonly name: string = 'SwitchyardError';
}

/** Switchyard answered that it does not do what was asked. Tell the kinds apart by `statusCode`. */
export class SwitchyardApiError extends SwitchyardError {
  override readonly name = 'SwitchyardApiError';
  /** 400 for a broken rule, 401 and 403 for the key, 404, 409 for a conflict, 429, 500, 503; others by what stands in between. */
  readonly statusCode: number;
  /** Every rule that the request breaks; none where the message says it all. */
  readonly errors: readonly FieldError[];
  /** Id by which support finds the request; null where the answer is not Switchyard's own. */
  readonly requestId: string | null;
  /** The payment that has the `merchantOrderId` already. */
  readonly paymentId: string | undefined;
  /** Amount left to refund, in whole main units. */
  readonly refundableAmount: number | undefined;
  /** When to try again, in seconds from now; null where the answer does not say. */
  readonly retryAfterS: number | null;

  constructor(answer: {
    readonly statusCode: number;
    readonly message: string;
    readonly data: FailureData;
    readonly requestId: string | null;
    readonly retryAfterS: number | null;
  }) {
    super(answer.message);
    this.statusCode = answer.statusCode;
    this.errors = (answer.data?.errors ?? []).map(readFieldError);
    this.requestId = answer.requestId;
    this.paymentId = answer.data?.paymentId;
    this.refundableAmount = answer.data?.refundableAmount;
    this.retryAfterS = answer.retryAfterS;
  }
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

/** A webhook is not from Switchyard, was changed on its way, or is older than five minutes. Answer it 400. */
export class SwitchyardSignatureError extends SwitchyardError {
  override readonly name = 'SwitchyardSignatureError';
}

/** `customer.email must be a valid e-mail address`: the field is the first word. */
function readFieldError(text: string): FieldError {
  const space = text.indexOf(' ');
  return space === -1 ? { field: text, rule: '' } : { field: text.slice(0, space), rule: text.slice(space + 1) };
}
