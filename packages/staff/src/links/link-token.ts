import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** The secret of a one-time link, and the hash that is kept of it. 256 random bits need no slow hash. */
export function newLinkToken(): { readonly token: string; readonly tokenHash: Buffer<ArrayBuffer> } {
  const token = randomBytes(BYTES).toString('base64url');
  return { token, tokenHash: hashOf(token) };
}

/** The hash a link's secret is found by, or null for text that is none. */
export function linkTokenHash(token: string): Buffer<ArrayBuffer> | null {
  return SHAPE.test(token) ? hashOf(token) : null;
}

function hashOf(token: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(token).digest());
}
