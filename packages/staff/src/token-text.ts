import { makeSecret, withChecksum } from '@switchyard/merchants/api-keys';

/*
 * Tokens of staff users read `<kind>_<public id>_<secret><checksum>`, in the format of API keys.
 */

/** Purpose of a token: `fin` reads reports, `agt` acts as its staff user. */
export type TokenKind = 'fin' | 'agt';

const TOKEN = /^((fin|agt)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43}))[0-9A-Za-z]{6}$/;

/** A token's text, taken apart: `publicId` finds its row, `secret` is compared with the stored hash. */
export interface TokenParts {
  readonly publicId: string;
  readonly secret: string;
}

/** Generates a token. `randomBytes` must return that many unpredictable bytes. */
export function makeToken(randomBytes: (size: number) => Uint8Array): TokenParts {
  return makeSecret(randomBytes);
}

/** The token's text, shown to its owner once. */
export function formatToken(kind: TokenKind, { publicId, secret }: TokenParts): string {
  return withChecksum(`${kind}_${publicId}_${secret}`);
}

/** Parses a token of one kind; null for another kind or format, or a wrong checksum. Reads no database. */
export function parseToken(kind: TokenKind, text: string): TokenParts | null {
  const [whole, body, found, publicId, secret] = TOKEN.exec(text) ?? [];
  if (found !== kind || body === undefined || publicId === undefined || secret === undefined) return null;
  return withChecksum(body) === whole ? { publicId, secret } : null;
}

const BEARER = /^bearer +(\S{1,200}) *$/i;

/** The token of one kind in an `Authorization` header; null for a missing or malformed one. */
export function readBearerToken(kind: TokenKind, authorizationHeader: string | null): TokenParts | null {
  const text = BEARER.exec(authorizationHeader ?? '')?.[1];
  return text === undefined ? null : parseToken(kind, text);
}
