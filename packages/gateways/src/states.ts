import { classOf, isOfPayment, readableCode, rowOf } from './error-code.ts';
import type {
  ErrorCode,
  Failure,
  ListedPayment,
  ListedSettlement,
  ReceivedPayment,
  RefundReceipt,
  UnrecognisedStatus,
} from './gateway.ts';
import type { GatewayApi } from './gateway-api.ts';
import { failure, unrecognisedStatus } from './outcomes.ts';
import { reportOutside } from './published-states.ts';
import type { Redactor } from './redact.ts';

/**
 * Meaning of a gateway's word for a transaction. `declined`: the last try to pay failed, and the customer may try again on the same page;
 * `closed`: it cannot be paid any more; `unfinished`: the customer may still pay.
 */
export type PaymentState = 'paid' | 'reversed' | 'declined' | 'closed' | 'unfinished';

export type RefundState = RefundReceipt['state'];

/** A gateway's words for a state, as its documentation lists them, and what each means. */
export type StateTable<State extends string> = Readonly<Record<string, State>>;

/** The meaning of a word. One that is not in the table is never guessed at. */
export function readState<State extends string>(table: StateTable<State>, word: string): State | 'unrecognised' {
  const state = readWord(table, word);
  if (state === null) reportOutside(table);
  return state ?? 'unrecognised';
}

/** Meaning of a gateway's word in a table that need not be complete; null where the word is not in it. */
export function readWord<T>(table: Readonly<Record<string, T>>, word: string | null | undefined): T | null {
  return (Object.hasOwn(table, word ?? '') ? table[word ?? ''] : null) ?? null;
}

/** The words for payments that failed, as the gateway's table of error codes has them, for the table of its states. */
export function failedStates(codes: readonly ErrorCode[]): StateTable<'declined' | 'closed'> {
  const failed = codes.filter(isOfPayment);
  return Object.fromEntries(failed.map(({ code, failure }) => [code, failure === 'declined' ? 'declined' : 'closed']));
}

/** Where a word for a state stands. */
export interface StateRecord {
  /** The gateway's. */
  readonly title: string;
  readonly record: unknown;
  readonly redactor: Redactor;
}

/** Most of a record that is kept for people. */
const RECORD_MAX = 4_096;

/** A word that the gateway's documentation does not list, with the record that it stands in. */
export function describeUnrecognised(word: string, { title, record, redactor }: StateRecord): UnrecognisedStatus {
  const { message } = unrecognisedStatus(title, redactor.text(word));
  return { message, record: JSON.stringify(redactor.json(record)).slice(0, RECORD_MAX).toWellFormed() };
}

/** A refund's state. A word that is not in the table is not final. */
export function readRefundState(
  table: StateTable<RefundState>,
  word: string,
  found: StateRecord,
): Pick<RefundReceipt, 'state' | 'unrecognised'> {
  const state = readState(table, word);
  return state === 'unrecognised' ? { state: 'processing', unrecognised: describeUnrecognised(word, found) } : { state };
}

/** A settlement's status. A word that is not in the table is not final. */
export function readSettlementStatus(
  table: StateTable<ListedSettlement['status']>,
  word: string,
  found: StateRecord,
): Pick<ListedSettlement, 'status' | 'unrecognised'> {
  const status = readState(table, word);
  return status === 'unrecognised' ? { status: 'pending', unrecognised: describeUnrecognised(word, found) } : { status };
}

/** A transaction's status in a list. A word that is not in the table is not final. */
export function toListedStatus(state: PaymentState | 'unrecognised'): ListedPayment['status'] {
  if (state === 'paid' || state === 'reversed') return state;
  return state === 'declined' || state === 'closed' ? 'unpaid' : 'open';
}

/** An outcome before its call is attached. */
export type Verdict<T = ReceivedPayment> =
  | { readonly outcome: 'yes'; readonly value: T }
  | { readonly outcome: 'no' | 'unknown'; readonly failure: Failure };

/**
 * The outcome of a payment from the state of its transaction. `word` is the gateway's for it, as its tables have it; `received` and `unpaid`
 * read the rest of the answer.
 */
export function evaluateState(
  { title, errorCodes }: Pick<GatewayApi, 'title' | 'errorCodes'>,
  state: PaymentState | 'unrecognised',
  word: string,
  { received, unpaid }: { received(reversed: boolean): Verdict; unpaid(row: ErrorCode): Verdict },
): Verdict {
  const row = rowOf(errorCodes, { code: word });
  switch (state) {
    case 'paid':
    case 'reversed':
      return received(state === 'reversed');
    case 'declined':
    case 'closed':
      return row === null ? unrecognised(title, word) : unpaid(row);
    case 'unfinished':
      return unknown('customer', 'not_paid_yet', `The customer has not finished paying (${word}).`);
    case 'unrecognised':
      return unrecognised(title, word);
    default:
      return state satisfies never;
  }
}

/** The verdict on a word or code that the gateway's documentation does not list, which is counted. */
export function unrecognised(title: string, word: string): Verdict {
  return { outcome: 'unknown', failure: { ...unrecognisedStatus(title, word), gatewayCode: readableCode(word) } };
}

/** The verdict on money that was not paid, by the last try or for good, as the row of the word or code for it has it. */
export function unpaid(row: ErrorCode, message: string): Verdict {
  return { outcome: row.meaning === 'unknown' ? 'unknown' : 'no', failure: codedFailure(row, row.failure, message) };
}

/** The failure of a payment that a row of its gateway's table decides, to be counted by. `message` is redacted. */
function codedFailure(row: ErrorCode, code: Failure['code'], message: string): Failure {
  return { ...failure(classOf(row), code, message), gatewayCode: row.code };
}

export function unknown(
  of: Failure['class'],
  code: Failure['code'],
  message: string,
): { readonly outcome: 'unknown'; readonly failure: Failure } {
  return { outcome: 'unknown', failure: failure(of, code, message) };
}

/** The verdict on an answer about another transaction than the one that was looked up. */
export function otherReference(title: string): Verdict {
  return unknown('provider_fault', 'reference_mismatch', `${title} answered about another reference.`);
}

/** The verdict on money whose amount cannot be read. `expected` completes "an amount that is not …". */
export function unreadableAmount(title: string, expected: 'a count of kobo' | 'a decimal number'): Verdict {
  return unknown('provider_fault', 'malformed_answer', `${title} gave an amount that is not ${expected}.`);
}
