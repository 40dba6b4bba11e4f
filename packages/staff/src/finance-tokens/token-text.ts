import { makeSecret, withChecksum } from '@switchyard/merchants/api-keys';

/*
 * A finance token reads `fin_<public id>_<secret><checksum>`, in the parts that API keys have.
 */

const TOKEN = /^(fin_([0-9A-Za-z]{12})_([0-9A-Za-z]{43}))[0-9A-Za-z]{6}$/;

export interface TokenParts {
  readonly publicId: string;
  readonly secret: string;
}

/** Makes a new token. `randomBytes` must give that many unpredictable bytes. */
export function makeToken(randomBytes: (size: number) => Uint8Array): TokenParts {
  return makeSecret(randomBytes);
}

/** The token as its owner gets to see it, once. */
export function formatToken({ publicId, secret }: TokenParts): string {
  return withChecksum(`fin_${publicId}_${secret}`);
}

/** Reads a token; null when it is not one: another shape, or a typo somewhere. Looks nothing up. */
export function parseToken(text: string): TokenParts | null {
  const [whole, body, publicId, secret] = TOKEN.exec(text) ?? [];
  if (body === undefined || publicId === undefined || secret === undefined || withChecksum(body) !== whole) return null;
  return { publicId, secret };
}
