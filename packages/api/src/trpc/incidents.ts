import { addIncidentNote, findIncident, readIncidentWriting, writePostMortem } from '@switchyard/alerts/incidents';
import { readStory } from '@switchyard/alerts/incidents/story';
import { NIL_ID } from '@switchyard/db';
import { measureImpact } from '@switchyard/payments/incident-impact';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import { z } from 'zod';
import { findingScope, isEverywhere, ownerOf, shownIncident } from './attention.ts';
import { incidentNote, postMortemText } from './entered-fields.ts';
import { found, foundOrThrow, timeZone } from './inputs.ts';
import { permitted, router } from './procedure.ts';

const NO_INCIDENT = 'There is no such incident, or you have no access to it.';
const oneIncident = z.object({ incidentId: z.uuid().toLowerCase() });

/** An incident by its owner: null for the workspace. */
const ownIncident = oneIncident.extend({ merchantId: z.uuid().toLowerCase().nullable() });

const reading = permitted('alert:read');
const acting = permitted('alert:acknowledge');

/** One incident: its story, what it did to payments, and what people wrote about it. */
export const incidents = router({
  /** An incident with what happened in its course, in order, and the accounts that it is about, each with its health of that time. */
  byId: reading
    .input(oneIncident.extend({ zone: timeZone.default('UTC') }))
    .query(async ({ ctx, input: { incidentId, zone } }) => {
      const scope = findingScope(ctx, null);
      return inSnapshot(ctx.switchyard, async (snapshot) => {
        const incident = foundOrThrow(await findIncident(snapshot, { incidentId, ...scope }), NO_INCIDENT);
        const story = await readStory(snapshot, incident, {
          merchantIds: scope.of(incident.kind).merchantIds,
          channelMerchantIds: isEverywhere(ctx, 'alert:read') ? [...ctx.merchantIds, NIL_ID] : ctx.merchantIds,
        });
        return { ...shownIncident(ctx, incident, zone), ...story };
      });
    }),
  /**
   * Impact of an incident on the payments that the caller may see, of one merchant or of all with null, as it is known now. Kinds that no
   * payment meets have no impact.
   */
  impact: permitted('payment:read')
    .input(oneIncident.extend({ merchantId: z.uuid().toLowerCase().nullable().default(null) }))
    .query(async ({ ctx, input: { incidentId, merchantId } }) => {
      const scope = findingScope(ctx, null);
      const incident = foundOrThrow(await findIncident(ctx.switchyard, { incidentId, ...scope }), NO_INCIDENT);
      const { merchantIds } = findingScope(ctx, merchantId).of(incident.kind);
      const { configuration, database } = ctx.switchyard.resources;
      return measureImpact({ configuration, pool: database.pool }, { merchantIds, incidentIds: [incidentId] });
    }),
  /**
   * Notes and post-mortem of an incident. Of an incident of the workspace it is for those who see the workspace:
   * it may be about merchants that others do not know of.
   */
  notes: reading.input(oneIncident).query(async ({ ctx, input: { incidentId } }) => {
    const scope = findingScope(ctx, null);
    const { merchantId } = foundOrThrow(await findIncident(ctx.switchyard, { incidentId, ...scope }), NO_INCIDENT);
    if (merchantId === NIL_ID && !isEverywhere(ctx, 'alert:read')) return { notes: [], postMortem: null };
    return readIncidentWriting(ctx.switchyard, { merchantId, incidentId });
  }),
  addNote: acting.input(ownIncident.extend({ text: incidentNote })).mutation(async ({ ctx, input }) => {
    const merchantId = ownerOf(ctx, input.merchantId, 'alert:acknowledge');
    const actor = `staff:${ctx.session.staffId}`;
    return found(await addIncidentNote(ctx.switchyard, { ...input, merchantId, actor }), NO_INCIDENT);
  }),
  /** Writes the post-mortem, unless another person changed it since the revision that it is based on. */
  writePostMortem: acting
    .input(ownIncident.extend({ text: postMortemText, revision: z.int().min(0).max(2_147_483_647) }))
    .mutation(async ({ ctx, input }) => {
      const merchantId = ownerOf(ctx, input.merchantId, 'alert:acknowledge');
      const actor = `staff:${ctx.session.staffId}`;
      return found(await writePostMortem(ctx.switchyard, { ...input, merchantId, actor }), NO_INCIDENT);
    }),
});
