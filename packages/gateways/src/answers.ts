import type { z } from 'zod';
import { classOf, codeOf, isOfPayment, rowOf } from './error-code.ts';
import type { ErrorCode, Outcome, RefundQuery, RefundReceipt, Subject } from './gateway.ts';
import type { Answer, GatewayApi, Refusal } from './gateway-api.ts';
import type { CallFailure, WireReply } from './http.ts';
import { failure, protocolViolation, toActionFailure, toLookupFailure } from './outcomes.ts';
import { unknown, type Verdict } from './states.ts';

type NotDone = Exclude<Outcome<never>, { outcome: 'yes' }>;
type Unknown = Extract<Outcome<never>, { outcome: 'unknown' }>;

/** Outcome of a call: `read` gets the answer if it is a success as `schema` describes it, else `refused` decides. */
interface Reading<Schema extends z.ZodType, T, Refused> {
  readonly schema: Schema;
  read(body: z.output<Schema>, reply: Answer): Verdict<T>;
  refused(reply: Answer): Refused;
}

/** Outcome of an action (open, refund). */
export function readAction<Schema extends z.ZodType, T>(reply: WireReply, reading: Reading<Schema, T, NotDone>): Outcome<T> {
  return reply.kind === 'failed' ? toActionFailure(reply.failed, reply.call) : readAnswer(reply, reading);
}

/** Outcome of a look-up. */
export function readLookup<Schema extends z.ZodType, T>(reply: WireReply, reading: Reading<Schema, T, NotDone>): Outcome<T> {
  return reply.kind === 'failed' ? toLookupFailure(reply.failed, reply.call) : readAnswer(reply, reading);
}

function readAnswer<Schema extends z.ZodType, T>(
  reply: Answer,
  { schema, read, refused }: Reading<Schema, T, NotDone>,
): Outcome<T> {
  const body = readSuccess(schema, reply);
  return body === null ? refused(reply) : { ...read(body, reply), call: reply.call };
}

/** The body of a successful answer; null where it is another, or not under a 2xx status. */
export function readSuccess<Schema extends z.ZodType>(schema: Schema, reply: Answer): z.output<Schema> | null {
  const parsed = schema.safeParse(reply.json);
  return parsed.success && reply.status < 400 ? parsed.data : null;
}

/**
 * Outcome of an action whose answer is no success: refused when the gateway states an error, as its row of the table of error codes has
 * it, else unreadable. Where it answers the second sending, the first may have been carried out.
 */
export function toRefusedAction(api: GatewayApi, reply: Answer, subject: Subject): NotDone {
  return withCode(toActionFailure(failureOf(api, reply, subject), reply.call), api, reply, subject);
}

/** The outcome with the gateway's own code, to be counted by. */
function withCode<Refused extends NotDone>(refused: Refused, api: GatewayApi, reply: Answer, subject?: Subject): Refused {
  const said = api.readRefusal(reply);
  if (said === null) return refused;
  const gatewayCode = codeOf(api.errorCodes, said, subject);
  // Whatever words a refused key comes with, the status says what it is.
  const isClear = refused.failure.code === 'invalid_credentials' && !api.errorCodes.some(({ code }) => code === gatewayCode);
  return isClear ? refused : { ...refused, failure: { ...refused.failure, gatewayCode } };
}

/** A refund's reference that was used before shows that an earlier call may have made the refund, so nothing is settled by it. */
export function toRefusedRefund(api: GatewayApi, reply: Answer): NotDone {
  const refused = toRefusedAction(api, reply, 'refund');
  return refused.failure.code === 'duplicate_reference' ? { ...refused, outcome: 'unknown' } : refused;
}

/** Outcome of a look-up whose answer decides nothing. */
export function toUndecided(api: GatewayApi, reply: Answer, subject?: Subject): Unknown {
  const { code, ...failed } = failureOf(api, reply, subject);
  // A reference that was used before is no answer to a look-up.
  const lookup = { ...failed, code: code === 'duplicate_reference' ? 'request_rejected' : code } as const;
  return withCode(toLookupFailure(lookup, reply.call), api, reply, subject);
}

/** Outcome of a look-up whose answer is no success: only the gateway's own "not found" is final. */
export function toNotFound(api: GatewayApi, reply: Answer, subject: Subject): NotDone {
  const row = notFoundRowOf(api, reply, subject);
  if (row === null) return toUndecided(api, reply, subject);
  const said = reasonOf(api.readRefusal(reply), reply);
  const thing = subject === 'payment' ? 'transaction' : subject;
  const reason = failure(classOf(row), row.failure, `${api.title} knows no such ${thing}: ${said}`);
  return withCode({ outcome: 'no', failure: reason, call: reply.call }, api, reply, subject);
}

/** Outcome of a look-up of a payment at a gateway that keeps none until the customer acts: "not found" means not paid yet. */
export function toNotPaidYet(api: GatewayApi, reply: Answer): Unknown {
  if (notFoundRowOf(api, reply, 'payment') === null) return toUndecided(api, reply, 'payment');
  const reason = failure('customer', 'not_paid_yet', 'The customer has not begun to pay.');
  return { outcome: 'unknown', failure: reason, call: reply.call };
}

/** A refund that was found by its id, or requested under a reference of ours that becomes its id: the answer must repeat it. */
export function toFoundRefund(api: GatewayApi, query: RefundQuery, receipt: RefundReceipt): Verdict<RefundReceipt> {
  if (receipt.gatewayRefundId === query.gatewayRefundId) return { outcome: 'yes', value: receipt };
  return unknown('provider_fault', 'reference_mismatch', `${api.title} answered about another refund.`);
}

/** A refund as the answer to its request shows it, which names the payment that it is of. Another's may have been made, or ours as well. */
export function toRefundOf(api: GatewayApi, isOfPayment: boolean, receipt: RefundReceipt): Verdict<RefundReceipt> {
  if (isOfPayment) return { outcome: 'yes', value: receipt };
  return unknown('provider_fault', 'reference_mismatch', `${api.title} answered about a refund of another transaction.`);
}

/** A gateway's own text for a receipt: redacted, null without one. */
export function redactedText(text: string | null | undefined, reply: Answer): string | null {
  return text === null || text === undefined ? null : reply.redactor.text(text);
}

/** The row of a refusal, and true if what it decides counts for this call. */
function readRow(
  api: GatewayApi,
  reply: Answer,
  refused: Refusal,
  subject: Subject | undefined,
): { readonly row: ErrorCode; readonly counts: boolean } | null {
  const row = rowOf(api.errorCodes, refused, subject);
  if (row === null) return null;
  const counts = (row.of === undefined || row.of === subject) && row.statuses?.includes(reply.status) !== false;
  return { row, counts };
}

/** The row by which an answer says that there is no such thing; null where it says something else, or what its row does not call our fault. */
function notFoundRowOf(api: GatewayApi, reply: Answer, subject: Subject): ErrorCode | null {
  const refused = api.readRefusal(reply);
  const read = refused === null ? null : readRow(api, reply, refused, subject);
  return read?.counts === true && read.row.failure === 'not_found' && read.row.meaning === 'ours' ? read.row : null;
}

function failureOf(api: GatewayApi, reply: Answer, subject: Subject | undefined): CallFailure {
  const refused = api.readRefusal(reply);
  if (refused === null) return protocolViolation(api.title, reply);
  const read = readRow(api, reply, refused, subject);
  return (
    (read?.counts === true ? failureByRow(api, reply, refused, read.row) : null) ??
    failureByStatus(api, reply, refused) ?? {
      class: 'our_configuration',
      code: 'request_rejected',
      message: `${api.title} refused: ${reasonOf(refused, reply)}`,
      nothingDone: !reply.repeated,
    }
  );
}

/** The failure that a row of the table names; null of one for payments that failed. */
function failureByRow(api: GatewayApi, reply: Answer, refused: Refusal, row: ErrorCode): CallFailure | null {
  if (isOfPayment(row)) return null;
  const said = reasonOf(refused, reply);
  // A fault of theirs, or a code that leaves it open, does not say what was done.
  const nothingDone = row.meaning === 'ours' && (refused.status ?? reply.status) < 500 && !reply.repeated;
  const shared = { class: classOf(row), nothingDone };
  switch (row.meaning) {
    case 'theirs':
      return { ...shared, code: 'http_5xx', message: `${api.title} reports a fault of its own: ${said}` };
    case 'unknown':
      return { ...shared, code: 'undecided', message: `${api.title} leaves open what it did: ${said}` };
    case 'ours':
      if (row.failure === 'invalid_credentials')
        return { ...shared, code: row.failure, message: `${api.title} did not accept the account's credentials: ${said}` };
      return {
        ...shared,
        code: row.failure === 'duplicate_reference' ? row.failure : 'request_rejected',
        message: `${api.title} refused: ${said}`,
      };
    case 'declined':
      return null;
    default:
      return row.meaning satisfies never;
  }
}

/** The failure that the status of an error names: the one that its envelope states, or the answer's own. */
function failureByStatus(api: GatewayApi, reply: Answer, refused: Refusal): CallFailure | null {
  const said = reasonOf(refused, reply);
  const status = refused.status ?? reply.status;
  if (status >= 500) {
    const message = `${api.title} reports a fault of its own (${status}): ${said}`;
    return { class: 'provider_fault', code: 'http_5xx', message, nothingDone: false };
  }
  if (status === 401 || status === 403) {
    const message = `${api.title} did not accept the account's credentials (${status}): ${said}`;
    return { class: 'our_configuration', code: 'invalid_credentials', message, nothingDone: !reply.repeated };
  }
  return null;
}

function reasonOf(refused: Refusal | null, reply: Answer): string {
  const message = refused?.message ?? '';
  return message === '' ? 'no reason given' : reply.redactor.text(message);
}
