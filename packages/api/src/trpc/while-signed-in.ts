import { NIL_ID } from '@switchyard/db';
import { readSessionState } from '@switchyard/staff';
import type { Switchyard } from '../process.ts';
import type { StaffSession } from '../staff/staff-session.ts';

const LOOK_MS = 1_000;

/**
 * Looks every second whether somebody who watches a stream is still let in, with the same roles; calls `onChange` once when not. Ends
 * with the stream. While the database is away nobody is sent away: there is nothing new to be seen either.
 */
export function watchSession(
  switchyard: Switchyard,
  session: Pick<StaffSession, 'sessionId' | 'grants'>,
  stream: AbortSignal,
  onChange: () => void,
): void {
  const { database } = switchyard.resources;
  const begunAs = standingOf(session);
  async function look(): Promise<void> {
    const now = switchyard.merchants.now();
    const standing = await readSessionState(database, session.sessionId, now).catch(() => begunAs);
    if (stream.aborted) return;
    if (standing === begunAs) timer = setTimeout(() => void look(), LOOK_MS);
    else onChange();
  }
  let timer = setTimeout(() => void look(), LOOK_MS);
  stream.addEventListener('abort', () => clearTimeout(timer), { once: true });
}

/** A session's roles as the database tells of them. */
function standingOf({ grants }: Pick<StaffSession, 'grants'>): string {
  return grants
    .map(({ merchantId, role }) => `${merchantId ?? NIL_ID}:${role}`)
    .toSorted()
    .join();
}
