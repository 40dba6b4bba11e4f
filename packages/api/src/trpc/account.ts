import { endSessions, listSessions } from '@switchyard/staff/sessions';
import { listTableChoices, setTableChoice, setTimeZone, tableChoice } from '@switchyard/staff/users';
import { z } from 'zod';
import { missing, timeZone } from './inputs.ts';
import { router, signedIn } from './procedure.ts';

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
  /** The columns that the caller chose for tables of the dashboard, by the table's name. */
  tables: signedIn.query(({ ctx: { switchyard, session } }) => listTableChoices(switchyard, session.staffId)),
  /** Keeps the caller's columns of a table; null for its default ones. */
  setTable: signedIn
    .input(z.object({ table: z.string().regex(/^[a-z0-9-]{1,60}$/), choice: tableChoice.nullable() }))
    .mutation(async ({ ctx: { switchyard, session }, input }) => {
      await setTableChoice(switchyard, { ...input, staffId: session.staffId });
      return input;
    }),
  /** Signs out another browser of the caller's, or with null all others. */
  endSessions: signedIn
    .input(z.object({ sessionId: z.uuid().toLowerCase().nullable() }))
    .mutation(async ({ ctx, input: { sessionId } }) => {
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
