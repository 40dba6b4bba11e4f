import { createHash, createHmac, type KeyObject } from 'node:crypto';

/** For how long a link works. */
export const LINK_LIFE_MS = 7 * 86_400_000;

/**
 * The secret part of the link to a run's file. Made from the process's key and the run, so that the dashboard can show it again; stored as
 * its hash alone.
 */
export function linkToken(keyPepper: KeyObject, runId: string): string {
  return createHmac('sha256', keyPepper).update(`report link ${runId}`).digest('base64url');
}

/** Digest that is stored of a token. */
export function hashLinkToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** True of a text with the form of a token. */
export function isLinkToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Where the file of a token is. */
export function linkPath(token: string): string {
  return `/report-files/${token}`;
}
