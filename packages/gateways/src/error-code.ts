import type { DocumentSection } from './gateway.ts';

/** Meanings of a gateway's error codes: a try of the customer's was refused; a fault of ours or of the merchant's; one of theirs. */
export const errorMeanings = ['declined', 'ours', 'theirs', 'unknown'] as const;

/** One of {@link errorMeanings}. */
export type ErrorMeaning = (typeof errorMeanings)[number];

/** A code by which a gateway says why nothing was done, as its documentation has it. */
export interface ErrorCode {
  /** The gateway's code; its words where it has no code for them. */
  readonly code: string;
  /** The gateway's words. */
  readonly words: string;
  /** The words of an answer that are taken for it, where these decide. */
  readonly message?: RegExp;
  readonly meaning: ErrorMeaning;
  readonly section: DocumentSection;
}

/** The code of words that no table has, at a gateway that gave no code. */
export const OTHER_WORDS = 'other words';

/** A refusal by a gateway's code. */
export function byCode(code: string, words: string, meaning: ErrorMeaning, section: DocumentSection): ErrorCode {
  return { code, words, meaning, section };
}

/** A refusal by a gateway's words alone. */
export function byWords(words: string, message: RegExp, meaning: ErrorMeaning, section: DocumentSection): ErrorCode {
  return { code: words, words, message, meaning, section };
}

/** A gateway's words and code for a refusal. */
interface Said {
  readonly code?: string | null | undefined;
  readonly message?: string | null | undefined;
}

/** The code to count a refusal under: of the row that it fits, else the gateway's own, which is unknown. */
export function codeOf(codes: readonly ErrorCode[], { code, message }: Said): string {
  const row =
    codes.find((one) => one.message?.test(message ?? '') === true) ??
    codes.find((one) => one.message === undefined && one.code === code);
  return row?.code ?? readableCode(code);
}

/** A gateway's code or word as it may be kept: short, and without anything that could be a person's. */
export function readableCode(code: string | null | undefined): string {
  return /^[A-Za-z][\w .-]{0,39}$|^[\w-]{1,8}$/.test(code ?? '') ? (code ?? OTHER_WORDS) : OTHER_WORDS;
}
