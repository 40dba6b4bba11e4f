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
