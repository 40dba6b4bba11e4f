import type { CallRecord, Failure, Outcome } from './gateway.ts';
import type { CallFailure, WireReply } from './http.ts';

const maxMessageLength = 500;

/** Builds a failure whose message fits the contract. The message must be redacted already where it quotes the other side. */
export function failure(failureClass: Failure['class'], code: Failure['code'], message: string): Failure {
  return {
    class: failureClass,
    code,
    message: message.length > maxMessageLength ? message.slice(0, maxMessageLength).toWellFormed() : message,
  };
}

/** Outcome of a failed action (open, refund): `no` only when the gateway certainly did nothing, else `unknown`. */
export function toActionFailure(failed: CallFailure, call: CallRecord): Exclude<Outcome<never>, { outcome: 'yes' }> {
  const reason = failure(failed.class, failed.code, failed.message);
  return { outcome: failed.nothingDone ? 'no' : 'unknown', failure: reason, call };
}

/** Outcome of a failed look-up: always `unknown`, because without an answer nothing is known. */
export function toLookupFailure(failed: CallFailure, call: CallRecord): Extract<Outcome<never>, { outcome: 'unknown' }> {
  return { outcome: 'unknown', failure: failure(failed.class, failed.code, failed.message), call };
}

/** The failure of an answer that is JSON but does not follow the gateway's protocol. */
export function protocolViolation(title: string, reply: Extract<WireReply, { kind: 'answer' }>): CallFailure {
  return {
    class: 'provider_fault',
    code: 'malformed_answer',
    message: `${title} answered ${reply.status} without the fields its protocol promises.`,
    nothingDone: reply.status >= 400 && !reply.repeated,
  };
}

/** The record of a call that was not made because its input is invalid. */
export function callNotMade(method: 'GET' | 'POST', url: string): CallRecord {
  return { method, url, httpStatus: null, latencyMs: 0, request: null, answer: null, retryAfterMs: null };
}
