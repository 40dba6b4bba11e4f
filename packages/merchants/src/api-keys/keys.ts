import { createHmac, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from '@switchyard/db/client';

/*
 * A key reads `sk_test_<public id>_<secret><checksum>`: 12 characters that find its row, 43 that hold 256 random bits, and 6 of
 * CRC-32 over all before them. The checksum proves nothing; it detects typos and leaked keys without a look-up.
 */

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PUBLIC_ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SECRET_BYTES = 32;
/** More bytes than 12 characters need, so that no public id is noticeably likelier than another. */
const PUBLIC_ID_BYTES = 16;

/** Matches our keys in any text, for secret scanners; {@link parseKey} checks whether a match is well-formed. */
export const LEAKED_KEY_PATTERN = /(?<![0-9A-Za-z])sk_(?:test|live)_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}(?![0-9A-Za-z])/;

const KEY = /^(sk_(test|live)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43}))([0-9A-Za-z]{6})$/;

/** A secret key's text, taken apart: `publicId` finds its row, `secret` is compared with the stored hash. */
export interface KeyParts {
  readonly mode: Mode;
  readonly publicId: string;
  readonly secret: string;
}

/** Makes a new key. `randomBytes` must give that many unpredictable bytes. */
export function makeKey(mode: Mode, randomBytes: (size: number) => Uint8Array): KeyParts {
  return { mode, ...makeSecret(randomBytes) };
}

/** A public id and a secret of 256 random bits, as keys and tokens have them. */
export function makeSecret(randomBytes: (size: number) => Uint8Array): Pick<KeyParts, 'publicId' | 'secret'> {
  return {
    publicId: toBase62(randomBytes(PUBLIC_ID_BYTES), PUBLIC_ID_LENGTH),
    secret: toBase62(randomBytes(SECRET_BYTES), SECRET_LENGTH),
  };
}

/** The key as it is shown to its owner, once. */
export function formatKey(parts: KeyParts): string {
  return withChecksum(`sk_${parts.mode}_${parts.publicId}_${parts.secret}`);
}

/** Appends the checksum that detects typos. */
export function withChecksum(body: string): string {
  return body + checksum(body);
}

/** Reads a key; null when it is not one: another shape, or a typo somewhere. Looks nothing up. */
export function parseKey(text: string): KeyParts | null {
  const match = KEY.exec(text);
  if (match === null) return null;
  const [, body, mode, publicId, secret, sum] = match;
  if (body === undefined || publicId === undefined || secret === undefined || sum !== checksum(body)) return null;
  return { mode: mode === 'live' ? 'live' : 'test', publicId, secret };
}

/** The stored form of a secret: useless without the pepper, which is not in the database. */
export function hashSecret(pepper: KeyObject, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}

function checksum(body: string): string {
  return encode(BigInt(crc32(body)), CHECKSUM_LENGTH);
}

function toBase62(bytes: Uint8Array, length: number): string {
  return encode(BigInt(`0x${Buffer.from(bytes).toString('hex')}`), length);
}

function encode(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text;
}
