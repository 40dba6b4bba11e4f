/**
 * The country that issued a card, ISO 3166-1 alpha-2, from a gateway's words for it: `NG`, or the country's name before it, `NIGERIA NG`. Null where
 * they name none.
 */
export function readCardCountry(words: string | null | undefined): string | null {
  return /(?:^|\s)([A-Z]{2})$/.exec(words?.trim().toUpperCase() ?? '')?.[1] ?? null;
}
