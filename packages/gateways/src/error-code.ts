import type { DocumentSection, FailureCode, OutcomeClass } from './gateway.ts';

/** Meanings of a gateway's error codes: a try of the customer's was refused; a fault of ours or of the merchant's; one of theirs. */
export const errorMeanings = ['declined', 'ours', 'theirs', 'unknown'] as const;

/** One of {@link errorMeanings}. */
export type ErrorMeaning = (typeof errorMeanings)[number];

/** Failures that a connector can answer for an error code. */
export type CodedFailure = Extract<
  FailureCode,
  | 'request_rejected'
  | 'duplicate_reference'
  | 'not_found'
  | 'invalid_credentials'
  | 'http_5xx'
  | 'declined'
  | 'checkout_closed'
  | 'undecided'
>;

/** The subject of a call. */
export type Subject = 'payment' | 'refund' | 'dispute';

/** A code by which a gateway says why nothing was done, as its documentation has it, and what the connector answers for it. */
export interface ErrorCode {
  /** The gateway's code; its words where it has no code for them. */
  readonly code: string;
  /** The gateway's words. */
  readonly words: string;
  /** The words of an answer that are taken for it. */
  readonly message?: RegExp;
  /** Codes that are taken for it, where the document does not name them one by one. */
  readonly codes?: RegExp;
  /** Whose fault it is. */
  readonly meaning: ErrorMeaning;
  /** `declined` and `checkout_closed` are of payments that failed: a call that is refused with such a code is refused as with any other. */
  readonly failure: CodedFailure;
  /** HTTP statuses under which it counts; under others the call is refused as with any other code. */
  readonly statuses?: readonly number[];
  /** The subject that a call must have for it to count; absent where it always does. */
  readonly of?: Subject;
  readonly section: DocumentSection;
}

/** Parts of a row beside its code, words and meaning. */
type Decision = Pick<Partial<ErrorCode>, 'failure' | 'statuses' | 'of' | 'message'>;

/** The code of words that no table has, at a gateway that gave no code. */
export const OTHER_WORDS = 'other words';

/** Meanings of a call's refusal: a customer's try is declined at the gateway's page, not by a call. */
type CallMeaning = Exclude<ErrorMeaning, 'declined'>;

/** A refusal by a gateway's code, and by the words of an answer where a message is given. */
export function byCode(
  code: string,
  words: string,
  meaning: CallMeaning,
  section: DocumentSection,
  decision: Decision = {},
): ErrorCode {
  return { code, words, meaning, failure: usualFailure(meaning), section, ...decision };
}

/** A refusal by a gateway's words alone. */
export function byWords(
  words: string,
  message: RegExp,
  meaning: CallMeaning,
  section: DocumentSection,
  decision: Decision = {},
): ErrorCode {
  return byCode(words, words, meaning, section, { message, ...decision });
}

/** A word or code for a payment that failed, `checkout_closed` where the customer cannot try again. Of unknown meaning it may not have. */
export function ofPayment(
  code: string,
  words: string,
  meaning: ErrorMeaning,
  section: DocumentSection,
  failed: 'declined' | 'checkout_closed' = 'declined',
): ErrorCode {
  return { code, words, meaning, failure: failed, section };
}

/** True if a row is about a payment that failed, not about a call. */
export function isOfPayment({ failure }: ErrorCode): boolean {
  return failure === 'declined' || failure === 'checkout_closed';
}

function usualFailure(meaning: CallMeaning): CodedFailure {
  switch (meaning) {
    case 'ours':
      return 'request_rejected';
    case 'theirs':
      return 'http_5xx';
    case 'unknown':
      return 'undecided';
    default:
      return meaning satisfies never;
  }
}

const CLASSES: Readonly<Record<ErrorMeaning, OutcomeClass>> = {
  declined: 'customer',
  ours: 'our_configuration',
  theirs: 'provider_fault',
  unknown: 'our_configuration',
};

/** The class of a failure by its row. */
export function classOf({ meaning }: ErrorCode): OutcomeClass {
  return CLASSES[meaning];
}

/** A gateway's words and code for a refusal. */
interface Said {
  readonly code?: string | null | undefined;
  readonly message?: string | null | undefined;
}

/** The row of a gateway's table that its code or words fit: the first, of those that count for the subject before others; null without one. */
export function rowOf(codes: readonly ErrorCode[], { code, message }: Said, subject?: Subject): ErrorCode | null {
  const fitting = codes.filter(
    (row) => row.code === code || row.message?.test(message ?? '') === true || row.codes?.test(code ?? '') === true,
  );
  return fitting.find(({ of }) => of === undefined || of === subject) ?? fitting[0] ?? null;
}

/** The code to count a refusal under: of the row that it fits, else the gateway's own, which is unknown. */
export function codeOf(codes: readonly ErrorCode[], said: Said, subject?: Subject): string {
  return rowOf(codes, said, subject)?.code ?? readableCode(said.code);
}

/** A gateway's code or word as it may be kept: short, and without anything that could be a person's. */
export function readableCode(code: string | null | undefined): string {
  return /^[A-Za-z][\w .-]{0,39}$|^[\w-]{1,8}$/.test(code ?? '') ? (code ?? OTHER_WORDS) : OTHER_WORDS;
}
