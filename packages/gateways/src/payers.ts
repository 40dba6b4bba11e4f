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
