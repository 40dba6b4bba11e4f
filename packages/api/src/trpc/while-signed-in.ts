import { NIL_ID } from '@switchyard/db';
import type { StaffSession } from '@switchyard/staff/permissions';
import { readSessionState } from '@switchyard/staff/sessions';
import type { Switchyard } from '../process.ts';

const LOOK_MS = 1_000;

/**
 * Checks every second whether the session of a stream is still valid with the same roles; calls `onChange` once when it is not.
 * Ends with the stream. A database outage ends no stream: there is nothing new to send either.
 */
export function watchSession(
  switchyard: Switchyard,
  session: Pick<StaffSession, 'sessionId' | 'grants'>,
  stream: AbortSignal,
  onChange: () => void,
): void {
  const { database } = switchyard.resources;
  const begunAs = rolesOf(session);
  async function look(): Promise<void> {
    const now = switchyard.now();
    const current = await readSessionState(database, session.sessionId, now).catch(() => begunAs);
    if (stream.aborted) return;
    if (current === begunAs) timer = setTimeout(() => void look(), LOOK_MS);
    else onChange();
  }
  let timer = setTimeout(() => void look(), LOOK_MS);
  stream.addEventListener('abort', () => clearTimeout(timer), { once: true });
}

/** A session's roles in the database. */
function rolesOf({ grants }: Pick<StaffSession, 'grants'>): string {
  return grants
    .map(({ merchantId, role }) => `${merchantId ?? NIL_ID}:${role}`)
    .toSorted()
    .join();
}
