import type { HealthContext } from '@switchyard/provider-health';
import { readConditions } from './conditions/read-conditions.ts';
import { decideIncidents } from './incidents/decide-incidents.ts';
import { closeIncident, insertIncident, listOpenIncidents, updateOpenIncident } from './incidents/queries.ts';

const TRANSACTION_TIMEOUT_MS = 20_000;

/**
 * Compares what is wrong now with the open incidents and opens and closes them, in one transaction. Of several processes one does it at
 * a time. Returns how many were opened and closed.
 */
export async function detectIncidents(context: HealthContext): Promise<{ readonly opened: number; readonly closed: number }> {
  const observation = await readConditions(context, context.now());
  return context.resources.database.prisma.$transaction(
    async (transaction) => {
      await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('incidents', 0))`;
      const now = context.now();
      const { open, close, update } = decideIncidents(await listOpenIncidents(transaction), observation, now);
      // Closed first: an incident may give way to another of the same key.
      for (const { incident, reason } of close) await closeIncident(transaction, incident, reason, now);
      for (const incident of update) await updateOpenIncident(transaction, incident, now);
      for (const condition of open) await insertIncident(transaction, context.newId(), condition, now);
      return { opened: open.length, closed: close.length };
    },
    { timeout: TRANSACTION_TIMEOUT_MS },
  );
}
