import { toPrismaJson } from '@switchyard/db';
import type { Incident, Prisma } from '@switchyard/db/client';
import { readFacts } from '../findings/facts.ts';
import type { Condition } from '../findings/finding.ts';
import type { ClosedReason, OpenIncident } from './decide-incidents.ts';

/** More open incidents than this are not compared: the oldest come first. */
const OPEN_MAX = 10_000;

/** All open incidents, as they are compared with what is so now. */
export async function listOpenIncidents(transaction: Prisma.TransactionClient): Promise<OpenIncident[]> {
  const rows = await transaction.incident.findMany({ where: { closedAt: null }, orderBy: { openedAt: 'asc' }, take: OPEN_MAX });
  return rows.map(toOpenIncident);
}

/** An open incident as it is compared. */
export function toOpenIncident(row: Incident): OpenIncident {
  const { merchantId, id: incidentId, mode, kind, subject, severity, facts, since, absentSince } = row;
  return { merchantId, incidentId, mode, kind, subject, severity, facts: readFacts(facts), since, absentSince };
}

/** Opens an incident. Throws when one of the same merchant, mode, kind and subject is open. */
export function insertIncident(
  transaction: Prisma.TransactionClient,
  incidentId: string,
  condition: Condition,
  now: Date,
): Promise<Incident> {
  const { merchantId, mode, kind, subject, severity, since, facts } = condition;
  const data = { merchantId, id: incidentId, mode, kind, subject, severity, since, facts: toPrismaJson(facts) };
  return transaction.incident.create({ data: { ...data, openedAt: now, updatedAt: now } });
}

/** Stores the present facts of an open incident, and whether its condition is gone. */
export async function updateOpenIncident(
  transaction: Prisma.TransactionClient,
  { merchantId, incidentId, facts, severity, absentSince }: OpenIncident,
  now: Date,
): Promise<void> {
  await transaction.incident.updateMany({
    where: { merchantId, id: incidentId, closedAt: null },
    data: { facts: toPrismaJson(facts), severity, absentSince, updatedAt: now },
  });
}

/** Closes an incident. Returns it as it is afterwards. */
export function closeIncident(
  transaction: Prisma.TransactionClient,
  { merchantId, incidentId }: Pick<OpenIncident, 'merchantId' | 'incidentId'>,
  reason: ClosedReason,
  now: Date,
): Promise<Incident> {
  return transaction.incident.update({
    where: { merchantId_id: { merchantId, id: incidentId } },
    data: { closedAt: now, closedReason: reason, updatedAt: now },
  });
}

/** Incidents by their ids, as they are now. */
export async function findIncidents(
  transaction: Prisma.TransactionClient,
  incidents: readonly Pick<OpenIncident, 'merchantId' | 'incidentId'>[],
): Promise<Incident[]> {
  if (incidents.length === 0) return [];
  return transaction.incident.findMany({
    where: { OR: incidents.map(({ merchantId, incidentId }) => ({ merchantId, id: incidentId })) },
  });
}

/** Open incidents without an acknowledgement. */
export function listUnacknowledged(transaction: Prisma.TransactionClient): Promise<Incident[]> {
  return transaction.incident.findMany({ where: { closedAt: null, acknowledgedAt: null }, take: OPEN_MAX });
}
