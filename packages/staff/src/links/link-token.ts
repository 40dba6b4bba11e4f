import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** The secret of a one-time link, and its stored hash. 256 random bits need no slow hash. */
export function newLinkToken(): { readonly token: string; readonly tokenHash: Buffer<ArrayBuffer> } {
  const token = randomBytes(BYTES).toString('base64url');
  return { token, tokenHash: hashOf(token) };
}

/** The hash of a link's secret, or null for text in another format. */
export function linkTokenHash(token: string): Buffer<ArrayBuffer> | null {
  return SHAPE.test(token) ? hashOf(token) : null;
}

function hashOf(token: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(token).digest());
}
