import type { CodedFailure, DocumentSection, ErrorCode, ErrorMeaning, OutcomeClass, Subject } from './gateway.ts';

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
