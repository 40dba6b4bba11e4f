import { createHmac } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const PERIOD_MS = 30_000;

/** What an authenticator app shows for a key at a moment (RFC 6238). */
export function oneTimeCode(key: string, atMs: number): string {
  const bits = [...key.replace(/[\s=]/g, '')].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / PERIOD_MS)));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const number = digest.readUInt32BE(digest.readUInt8(19) & 0xf) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** The code after the one shown now, which is taken already: for signing in right after the present one was used. */
export function nextOneTimeCode(key: string): string {
  return oneTimeCode(key, Date.now() + PERIOD_MS);
}
