import { endSessions, listSessions } from '@switchyard/staff/sessions';
import { setTimeZone } from '@switchyard/staff/users';
import { z } from 'zod';
import { router, signedIn } from './procedure.ts';
import { missing } from './rules-input.ts';
import { timeZone } from './time-zone.ts';

/** The sign-in settings of a staff user. Passwords and codes have their own routes. */
export const account = router({
  /** The caller's sessions; `current` is this browser. */
  sessions: signedIn.query(async ({ ctx: { switchyard, session } }) => {
    const found = (await listSessions(switchyard, { staffId: session.staffId, merchantScope: null })) ?? [];
    return found.map((each) => ({ ...each, current: each.id === session.sessionId }));
  }),
  /** Sets the zone in which the caller reads times; null for the workspace's. */
  setTimeZone: signedIn.input(z.object({ timeZone: timeZone.nullable() })).mutation(async ({ ctx, input }) => {
    await setTimeZone(ctx.switchyard, { staffId: ctx.session.staffId, timeZone: input.timeZone });
    return input;
  }),
  /** Signs out another browser of the caller's, or with null all others. */
  endSessions: signedIn.input(z.object({ sessionId: z.uuid().nullable() })).mutation(async ({ ctx, input: { sessionId } }) => {
    const { staffId, sessionId: own } = ctx.session;
    const which = sessionId === null ? { exceptSessionId: own } : { sessionId };
    const outcome = await endSessions(ctx.switchyard, {
      staffId,
      which,
      merchantScope: null,
      actor: `staff:${staffId}`,
    });
    return outcome.kind === 'not_found' ? missing('There is no such session.') : outcome;
  }),
});
