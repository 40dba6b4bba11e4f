import { makeSecret, withChecksum } from '@switchyard/merchants/api-keys';

/*
 * A finance token reads `fin_<public id>_<secret><checksum>`, in the format of API keys.
 */

const TOKEN = /^(fin_([0-9A-Za-z]{12})_([0-9A-Za-z]{43}))[0-9A-Za-z]{6}$/;

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
export function formatToken({ publicId, secret }: TokenParts): string {
  return withChecksum(`fin_${publicId}_${secret}`);
}

/** Parses a token; null for another format or a wrong checksum. Reads no database. */
export function parseToken(text: string): TokenParts | null {
  const [whole, body, publicId, secret] = TOKEN.exec(text) ?? [];
  if (body === undefined || publicId === undefined || secret === undefined || withChecksum(body) !== whole) return null;
  return { publicId, secret };
}
