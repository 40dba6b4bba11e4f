import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** True if `given` is the hex HMAC of the bytes under `secret`, in either case. Takes the same time wherever they differ. */
export function isHexHmac(algorithm: 'sha256' | 'sha512', secret: string, body: Uint8Array, given: string): boolean {
  const expected = createHmac(algorithm, secret).update(body).digest();
  if (given.length !== expected.length * 2 || !/^[0-9a-fA-F]+$/.test(given)) return false;
  return timingSafeEqual(expected, Buffer.from(given, 'hex'));
}

/** True if `given` is the base64 HMAC-SHA256 of the bytes under `secret`. Takes the same time wherever they differ. */
export function isBase64Hmac(secret: string, body: Uint8Array, given: string): boolean {
  return isSameText(createHmac('sha256', secret).update(body).digest('base64'), given);
}

/** Compares two texts in constant time, so that timing reveals neither where they differ nor the secret's length. */
export function isSameText(secret: string, given: string): boolean {
  return timingSafeEqual(digest(secret), digest(given));
}

/** A short stable name for a delivery that carries none of its own. */
export function bodyDigest(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 32);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
