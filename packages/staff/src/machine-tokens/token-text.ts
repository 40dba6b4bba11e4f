import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hashSecret, makeSecret, withChecksum } from '@switchyard/merchants/api-keys';

/*
 * Tokens of staff users and of providers read `<prefix>_<public id>_<secret><checksum>`, in the format of API keys. The row says what a token
 * may do; its prefix shows people which kind of token they hold.
 */

const TOKEN = /^((fin|agt|scim)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43}))[0-9A-Za-z]{6}$/;

/** A token's text, taken apart: `publicId` finds its row, `secret` is compared with the stored hash. */
interface TokenParts {
  readonly publicId: string;
  readonly secret: string;
}

type Prefix = 'fin' | 'agt' | 'scim';

/** A new token: its text, which its owner sees once, and what its row keeps of it. */
export function newToken(prefix: Prefix, keyPepper: TokenPepper) {
  const { publicId, secret } = makeSecret(randomBytes);
  const token = withChecksum(`${prefix}_${publicId}_${secret}`);
  return { token, publicId, secretHash: new Uint8Array(hashSecret(keyPepper, secret)), lastFour: token.slice(-4) };
}

const BEARER = /^bearer +(\S{1,200}) *$/i;

/** A token of one of some kinds in an `Authorization` header; null for none, another format or a wrong checksum. Reads no database. */
export function readBearerToken(authorizationHeader: string | null, prefixes: readonly Prefix[]): TokenParts | null {
  const text = BEARER.exec(authorizationHeader ?? '')?.[1] ?? '';
  const [whole, body, prefix, publicId, secret] = TOKEN.exec(text) ?? [];
  if (body === undefined || publicId === undefined || secret === undefined) return null;
  if (!prefixes.some((each) => each === prefix)) return null;
  return withChecksum(body) === whole ? { publicId, secret } : null;
}

const NO_HASH = new Uint8Array(32);

/** True if a presented secret is the one whose keyed hash a row stores; takes as long without a row. */
export function isSecretOf(row: { readonly secretHash: Uint8Array } | null, keyPepper: TokenPepper, secret: string): boolean {
  return timingSafeEqual(hashSecret(keyPepper, secret), row?.secretHash ?? NO_HASH) && row !== null;
}

type TokenPepper = Parameters<typeof hashSecret>[0];

/** Precision of the recorded last use of a token. */
const USE_RECORDED_MS = 60_000;

/** True if the last use that is recorded is so long ago that this one is recorded too. */
export function isUseToRecord({ lastUsedAt }: { readonly lastUsedAt: Date | null }, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() > USE_RECORDED_MS;
}
