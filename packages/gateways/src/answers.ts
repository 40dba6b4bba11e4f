import type { z } from 'zod';
import { codeOf } from './error-code.ts';
import type { FailureCode, Outcome, RefundQuery, RefundReceipt } from './gateway.ts';
import type { Answer, GatewayApi, Refusal } from './gateway-api.ts';
import type { CallFailure, WireReply } from './http.ts';
import { failure, protocolViolation, toActionFailure, toLookupFailure } from './outcomes.ts';
import { unknown, type Verdict } from './states.ts';

type NotDone = Exclude<Outcome<never>, { outcome: 'yes' }>;
type Unknown = Extract<Outcome<never>, { outcome: 'unknown' }>;

/** Words by which a gateway names one kind of refusal. A code or the message is enough; where statuses are listed, only under those. */
export interface RefusalWords {
  readonly statuses?: readonly number[];
  readonly codes?: readonly string[];
  readonly message?: RegExp;
}

/** The kinds of refusals that a gateway names, the first that fits counts; any other is `request_rejected`. */
export type RefusalTable = Readonly<Partial<Record<FailureCode, RefusalWords>>>;

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
 * Outcome of an action whose answer is no success: refused when the gateway states an error, else unreadable. Where it answers the
 * second sending, the first may have been carried out.
 */
export function toRefusedAction(api: GatewayApi, reply: Answer, table: RefusalTable): NotDone {
  return withCode(toActionFailure(failureOf(api, reply, table), reply.call), api, reply);
}

/** The outcome with the gateway's own code, to be counted by. */
function withCode<Refused extends NotDone>(refused: Refused, api: GatewayApi, reply: Answer): Refused {
  const said = api.readRefusal(reply);
  if (said === null) return refused;
  const gatewayCode = codeOf(api.errorCodes, said);
  // Whatever words a refused key comes with, the status says what it is.
  const isClear = refused.failure.code === 'invalid_credentials' && !api.errorCodes.some(({ code }) => code === gatewayCode);
  return isClear ? refused : { ...refused, failure: { ...refused.failure, gatewayCode } };
}

/** A refund's reference that was used before shows that an earlier call may have made the refund, so nothing is settled by it. */
export function toRefusedRefund(api: GatewayApi, reply: Answer, table: RefusalTable): NotDone {
  const refused = toRefusedAction(api, reply, table);
  return refused.failure.code === 'duplicate_reference' ? { ...refused, outcome: 'unknown' } : refused;
}

/** Outcome of a look-up whose answer decides nothing. */
export function toUndecided(api: GatewayApi, reply: Answer): Unknown {
  return withCode(toLookupFailure(failureOf(api, reply, {}), reply.call), api, reply);
}

/** Outcome of a look-up whose answer is no success: only the gateway's own "not found" is final. */
export function toNotFound(api: GatewayApi, reply: Answer, words: RefusalWords, thing: string): NotDone {
  if (!isRefusedWith(api, reply, words)) return toUndecided(api, reply);
  const said = reasonOf(api.readRefusal(reply), reply);
  const reason = failure('our_configuration', 'not_found', `${api.title} knows no such ${thing}: ${said}`);
  return withCode({ outcome: 'no', failure: reason, call: reply.call }, api, reply);
}

/** Outcome of a look-up at a gateway that keeps no transaction until the customer acts: "not found" means not paid yet. */
export function toNotPaidYet(api: GatewayApi, reply: Answer, words: RefusalWords): Unknown {
  if (!isRefusedWith(api, reply, words)) return toUndecided(api, reply);
  const reason = failure('customer', 'not_paid_yet', 'The customer has not begun to pay.');
  return { outcome: 'unknown', failure: reason, call: reply.call };
}

/** A refund that was found by its id, or requested under a reference of ours that becomes its id: the answer must repeat it. */
export function toFoundRefund(api: GatewayApi, query: RefundQuery, receipt: RefundReceipt): Verdict<RefundReceipt> {
  if (receipt.gatewayRefundId === query.gatewayRefundId) return { outcome: 'yes', value: receipt };
  return unknown('provider_fault', 'reference_mismatch', `${api.title} answered about another refund.`);
}

/** A gateway's own text for a receipt: redacted, null without one. */
export function redactedText(text: string | null | undefined, reply: Answer): string | null {
  return text === null || text === undefined ? null : reply.redactor.text(text);
}

function isRefusedWith(api: GatewayApi, reply: Answer, words: RefusalWords): boolean {
  const refused = api.readRefusal(reply);
  return refused !== null && fits(words, refused, reply.status);
}

function fits({ statuses, codes, message }: RefusalWords, refused: Refusal, status: number): boolean {
  if (statuses?.includes(status) === false) return false;
  return codes?.includes(refused.code ?? '') === true || message?.test(refused.message ?? '') === true;
}

function failureOf(api: GatewayApi, reply: Answer, table: RefusalTable): CallFailure {
  const refused = api.readRefusal(reply);
  if (refused === null) return protocolViolation(api.title, reply);
  const said = reasonOf(refused, reply);
  const status = refused.status ?? reply.status;
  const nothingDone = !reply.repeated;
  if (status >= 500) {
    const message = `${api.title} reports a fault of its own (${status}): ${said}`;
    return { class: 'provider_fault', code: 'http_5xx', message, nothingDone: false };
  }
  if (status === 401 || status === 403) {
    const message = `${api.title} did not accept the account's credentials (${status}): ${said}`;
    return { class: 'our_configuration', code: 'invalid_credentials', message, nothingDone };
  }
  const code = codesOf(table).find(([, words]) => fits(words, refused, reply.status))?.[0] ?? 'request_rejected';
  return { class: 'our_configuration', code, message: `${api.title} refused: ${said}`, nothingDone };
}

function codesOf(table: RefusalTable) {
  return Object.entries(table) as readonly (readonly [FailureCode, RefusalWords])[];
}

function reasonOf(refused: Refusal | null, reply: Answer): string {
  const message = refused?.message ?? '';
  return message === '' ? 'no reason given' : reply.redactor.text(message);
}
