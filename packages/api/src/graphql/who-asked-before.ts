import { createHash } from 'node:crypto';
import type { PlainRequest } from '../http/plain.ts';
import type { Switchyard } from '../process.ts';
import { remember } from './remember.ts';
import type { Viewer } from './viewer.ts';

const REMEMBERED_MAX = 500;
/** By what the headers say of who sends them, hashed: nothing that could be shown to us again is kept. */
type Remembered = Map<string, Viewer>;
const everywhere = new WeakMap<Switchyard, Remembered>();

/**
 * Who it was that last sent the same token or cookie; null when nobody did. Good enough to begin with, and never to answer by: since
 * then it may have been revoked, or reach less.
 */
export function whoAskedBefore(switchyard: Switchyard, headers: PlainRequest['headers']): Viewer | null {
  return everywhere.get(switchyard)?.get(keyOf(headers)) ?? null;
}

/** Keeps in mind who was found to have sent a token or a cookie. */
export function rememberWhoAsked(switchyard: Switchyard, headers: PlainRequest['headers'], viewer: Viewer): void {
  const remembered: Remembered = everywhere.get(switchyard) ?? new Map();
  everywhere.set(switchyard, remembered);
  remember(remembered, keyOf(headers), viewer, REMEMBERED_MAX);
}

function keyOf({ authorization, cookie }: PlainRequest['headers']): string {
  const shown = authorization === undefined ? `cookie ${cookie ?? ''}` : `token ${authorization}`;
  return createHash('sha256').update(shown).digest('base64');
}
