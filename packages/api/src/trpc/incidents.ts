import { findIncident, readStory } from '@switchyard/alerts/incidents';
import { NIL_ID } from '@switchyard/db';
import { measureImpact } from '@switchyard/payments/incident-impact';
import { merchantScopeOf } from '@switchyard/staff/permissions';
import { z } from 'zod';
import { permitted, router } from './procedure.ts';
import { foundOrThrow } from './rules-input.ts';
import { findingScope, shownIncident } from './shown-findings.ts';
import { timeZone } from './time-zone.ts';

const NO_INCIDENT = 'There is no such incident, or you have no access to it.';
const oneIncident = z.object({ incidentId: z.uuid() });

const reading = permitted('alert:read');

/** One incident: its story, what it did to payments, and what people wrote about it. */
export const incidents = router({
  /** An incident with what happened in its course, in order, and the accounts that it is about, each with its health of that time. */
  byId: reading
    .input(oneIncident.extend({ zone: timeZone.default('UTC') }))
    .query(async ({ ctx, input: { incidentId, zone } }) => {
      const scope = findingScope(ctx, null);
      const incident = foundOrThrow(await findIncident(ctx.switchyard, { incidentId, ...scope }), NO_INCIDENT);
      const { everywhere } = merchantScopeOf(ctx.session, 'alert:read', []);
      const story = await readStory(ctx.switchyard, incident, {
        merchantIds: scope.of(incident.kind).merchantIds,
        channelMerchantIds: everywhere ? [...ctx.merchantIds, NIL_ID] : ctx.merchantIds,
      });
      return { ...shownIncident(ctx, incident, zone), ...story };
    }),
  /** What an incident did to the payments that the caller may see, as it is known now. Kinds that no payment meets have no impact. */
  impact: permitted('payment:read')
    .input(oneIncident)
    .query(async ({ ctx, input: { incidentId } }) => {
      const scope = findingScope(ctx, null);
      const incident = foundOrThrow(await findIncident(ctx.switchyard, { incidentId, ...scope }), NO_INCIDENT);
      const { merchantIds } = scope.of(incident.kind);
      return measureImpact(ctx.switchyard, { merchantIds, incidentIds: [incidentId] });
    }),
});
