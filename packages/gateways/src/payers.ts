import type { TransferPayer } from './gateway.ts';

/** A gateway's own words for the bank account that a transfer came from. */
interface PayerWords {
  readonly bank?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly accountNumber?: string | null | undefined;
}

const MAX_LENGTH = 200;

/** The payer of a transfer as a field of the money received; no field where the gateway names none. */
export function payerOf(words: PayerWords | null | undefined): { readonly payer?: TransferPayer } {
  const payer = { bank: wordOf(words?.bank), name: wordOf(words?.name), accountEnd: accountEndOf(words?.accountNumber) };
  return payer.bank === null && payer.name === null && payer.accountEnd === null ? {} : { payer };
}

/** A word of the gateway's; null without one, and for a placeholder: `N/A`. */
function wordOf(text: string | null | undefined): string | null {
  const word = text?.trim().toWellFormed().slice(0, MAX_LENGTH) ?? '';
  return /^(?:n\/?a|null|none|-)?$/i.test(word) ? null : word;
}

/** The last four digits of an account number, or those of them that the gateway shows: `123*******90`, `XXXXXXX553`. */
function accountEndOf(number: string | null | undefined): string | null {
  return /\d{1,4}$/.exec(number?.trim() ?? '')?.[0] ?? null;
}

/**
 * The last four digits of a card number, from a gateway's words for them: `4081`, or a masked number, `506099******7499`. Null where they are not
 * that: a number that is not masked is never read, nor a part of one.
 */
export function readCardLast4(words: unknown): string | null {
  return typeof words === 'string' ? (/^(?:\d{0,8}[*xX•]+)?(\d{4})$/.exec(words.trim())?.[1] ?? null) : null;
}

/** The same as a field of the money received; no field where there are none. */
export function cardLast4Of(words: unknown): { readonly cardLast4?: string } {
  const last4 = readCardLast4(words);
  return last4 === null ? {} : { cardLast4: last4 };
}

/**
 * The country that issued a card, ISO 3166-1 alpha-2, from a gateway's words for it: `NG`, or the country's name before it, `NIGERIA NG`. Null where
 * they name none.
 */
export function readCardCountry(words: string | null | undefined): string | null {
  return /(?:^|\s)([A-Z]{2})$/.exec(words?.trim().toUpperCase() ?? '')?.[1] ?? null;
}
