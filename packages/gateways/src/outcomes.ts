import type { CallRecord, Failure, Outcome } from './gateway.ts';
import type { Trouble, WireReply } from './http.ts';

const maxMessageLength = 500;

/** Builds a failure whose message fits the contract. The message must be redacted already where it quotes the other side. */
export function failure(failureClass: Failure['class'], code: Failure['code'], message: string): Failure {
  return {
    class: failureClass,
    code,
    message: message.length > maxMessageLength ? message.slice(0, maxMessageLength).toWellFormed() : message,
  };
}

/** Trouble met while asking for something to be done: refused for certain only when nothing can have been done. */
export function actionTrouble(trouble: Trouble, call: CallRecord): Exclude<Outcome<never>, { outcome: 'yes' }> {
  const told = failure(trouble.class, trouble.code, trouble.message);
  return { outcome: trouble.nothingDone ? 'no' : 'unknown', failure: told, call };
}

/** Trouble met while asking a question: without an answer nothing is known, whatever the reason. */
export function questionTrouble(trouble: Trouble, call: CallRecord): Extract<Outcome<never>, { outcome: 'unknown' }> {
  return { outcome: 'unknown', failure: failure(trouble.class, trouble.code, trouble.message), call };
}

/** An answer that was read but is not in the gateway's protocol. */
export function offProtocol(title: string, reply: Extract<WireReply, { kind: 'answer' }>): Trouble {
  return {
    class: 'provider_fault',
    code: 'malformed_answer',
    message: `${title} answered ${reply.status} without the fields its protocol promises.`,
    nothingDone: reply.status >= 400 && !reply.repeated,
  };
}

/** The record of a call that was not made because it could not have been right. */
export function callNotMade(method: 'GET' | 'POST', url: string): CallRecord {
  return { method, url, httpStatus: null, latencyMs: 0, request: null, answer: null, retryAfterMs: null };
}
