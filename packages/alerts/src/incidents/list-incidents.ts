import { isUuid, NIL_ID, toPrismaJson } from '@switchyard/db';
import { type Incident, Prisma } from '@switchyard/db/client';
import { readStaffNames } from '@switchyard/staff/staff-names';
import type { AlertsContext } from '../context.ts';
import { type Condition, type FindingScope, isVisible } from '../findings/find.ts';
import { INCIDENT_KINDS, type IncidentKind, readFacts } from '../kinds/kinds.ts';
import type { ClosedReason, OpenIncident } from './decide-incidents.ts';

const OPEN_LISTED_MAX = 500;

/** The severities that lists tell apart: what is only information counts as a warning. */
export type ListedSeverity = 'critical' | 'warning';

/** An incident with the names of who acted on it. */
export interface IncidentInList extends Incident {
  readonly acknowledgedByName: string | null;
}

/** Open incidents, the latest first; at most 500. */
export async function listOpen(context: AlertsContext, scope: FindingScope): Promise<IncidentInList[]> {
  const rows = await context.resources.database.prisma.incident.findMany({
    where: { closedAt: null, ...whereOf(scope) },
    orderBy: [{ openedAt: 'desc' }, { id: 'desc' }],
    take: OPEN_LISTED_MAX,
  });
  return withNames(
    context,
    rows.filter((incident) => isSeen(incident, scope)),
  );
}

/** Sort keys of closed incidents: when they began or ended, how long they lasted, and severity. */
export const CLOSED_ORDERS = ['began', 'ended', 'lasted', 'severity'] as const;

/** An order of closed incidents; those with the same value are in the order of their ids, which are made in that of time. */
export interface ClosedOrder {
  readonly by: (typeof CLOSED_ORDERS)[number];
  readonly descending: boolean;
}

/** The position of an incident in a list. */
export interface IncidentKey {
  /** Value of the sort key: milliseconds, or 1 for critical and 0 for others. */
  readonly value: number;
  readonly id: string;
}

/** A page of closed incidents. */
export interface ClosedQuery extends FindingScope {
  /** Null for any. */
  readonly severity: ListedSeverity | null;
  readonly sort: ClosedOrder;
  /** `next` of the previous page. */
  readonly after: IncidentKey | null;
  readonly limit: number;
}

/** A page of the incidents that are closed, in the order wanted. Retention bounds how many are sorted. */
export async function listClosed(
  context: AlertsContext,
  query: ClosedQuery,
): Promise<{ readonly items: readonly IncidentInList[]; readonly next: IncidentKey | null }> {
  const { prisma } = context.resources.database;
  const keys = await prisma.$queryRaw<IncidentKey[]>(selectClosed(query));
  const page = keys.slice(0, query.limit);
  const rows = await prisma.incident.findMany({
    where: { merchantId: { in: merchantsOf(query) }, id: { in: page.map(({ id }) => id) } },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const incidents = page.flatMap(({ id }) => byId.get(id) ?? []).filter((incident) => isSeen(incident, query));
  return { items: await withNames(context, incidents), next: keys.length > query.limit ? (page.at(-1) ?? null) : null };
}

/** Selects the keys of a page's incidents and of the one after them. */
function selectClosed({ severity, sort, after, limit, ...scope }: ClosedQuery): Prisma.Sql {
  const value = Prisma.raw(closedValue(sort.by));
  const direction = Prisma.raw(sort.descending ? 'DESC' : 'ASC');
  const beyond = Prisma.raw(sort.descending ? '<' : '>');
  const conditions = [
    Prisma.sql`closed_at IS NOT NULL`,
    seenSql(scope),
    ...(severity === null ? [] : [Prisma.sql`(severity = 'critical') = ${severity === 'critical'}`]),
    ...(after === null ? [] : [Prisma.sql`(${value}, id) ${beyond} (${after.value}::float8, ${after.id}::uuid)`]),
  ];
  return Prisma.sql`SELECT ${value} AS value, id FROM incident WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY value ${direction}, id ${direction} LIMIT ${limit + 1}`;
}

function closedValue(by: ClosedOrder['by']): string {
  const milliseconds = (interval: string) => `(extract(epoch FROM ${interval}) * 1000)::float8`;
  switch (by) {
    case 'began':
      return milliseconds('since');
    case 'ended':
      return milliseconds('closed_at');
    case 'lasted':
      return milliseconds('closed_at - since');
    case 'severity':
      return `(severity = 'critical')::int::float8`;
    default:
      return by satisfies never;
  }
}

/** How many closed incidents a reader sees of each severity. */
export async function countClosed(context: AlertsContext, scope: FindingScope): Promise<Record<ListedSeverity, number>> {
  const { prisma } = context.resources.database;
  const closed = { closedAt: { not: null } };
  // The visibility of a workspace outage to people who do not see the workspace depends on its facts.
  const outage = scope.of('correlated_outage').workspace ? null : ('correlated_outage' satisfies IncidentKind);
  const ofWorkspace = workspaceKinds(scope).filter((kind) => kind !== outage);
  const [groups, outages] = await Promise.all([
    prisma.incident.groupBy({ by: 'severity', where: { ...closed, ...whereOf(scope, ofWorkspace) }, _count: true }),
    outage === null ? [] : prisma.incident.findMany({ where: { ...closed, merchantId: NIL_ID, kind: outage, mode: scope.mode } }),
  ]);
  const counts = { critical: 0, warning: 0 };
  for (const { severity, _count } of groups) counts[severity === 'critical' ? 'critical' : 'warning'] += _count;
  for (const one of outages) if (isSeen(one, scope)) counts[one.severity === 'critical' ? 'critical' : 'warning'] += 1;
  return counts;
}

/** One incident that a person sees in its mode, or null. */
export async function findIncident(
  context: AlertsContext,
  { incidentId, ...scope }: Omit<FindingScope, 'mode'> & { readonly incidentId: string },
): Promise<IncidentInList | null> {
  if (!isUuid(incidentId)) return null;
  const row = await context.resources.database.prisma.incident.findFirst({
    where: { id: incidentId, merchantId: { in: merchantsOf(scope) } },
  });
  if (row === null || !isSeen(row, scope)) return null;
  return (await withNames(context, [row]))[0] ?? null;
}

/** The kinds of incidents with the merchants whose are seen, those with the same merchants together. */
function groupsOf(scope: Pick<FindingScope, 'of'>) {
  const groups = Map.groupBy(INCIDENT_KINDS, (kind) => scope.of(kind).merchantIds.join());
  return [...groups.values()].map((kinds) => ({
    kinds,
    merchantIds: [...new Set(kinds.flatMap((kind) => scope.of(kind).merchantIds))],
  }));
}

/** The kinds of the workspace that may be seen; of outages the merchants decide too. */
function workspaceKinds(scope: Pick<FindingScope, 'of'>): IncidentKind[] {
  return INCIDENT_KINDS.filter((kind) => kind === 'correlated_outage' || scope.of(kind).workspace);
}

/** The merchants of incidents that may be seen, and the workspace. */
function merchantsOf(scope: Pick<FindingScope, 'of'>): string[] {
  return [...new Set(groupsOf(scope).flatMap(({ merchantIds }) => merchantIds)), NIL_ID];
}

function whereOf(scope: FindingScope, ofWorkspace = workspaceKinds(scope)): Prisma.IncidentWhereInput {
  const { mode } = scope;
  return {
    OR: [
      ...groupsOf(scope).map(({ kinds, merchantIds }) => ({ kind: { in: kinds }, merchantId: { in: merchantIds }, mode })),
      { kind: { in: ofWorkspace }, merchantId: NIL_ID, OR: [{ mode }, { kind: { not: 'correlated_outage' } }] },
    ],
  };
}

/** The condition of {@link whereOf}. */
function seenSql(scope: FindingScope): Prisma.Sql {
  const { mode } = scope;
  const parts = groupsOf(scope).map(({ kinds, merchantIds }) => {
    return Prisma.sql`kind = ANY (${kinds}::incident_kind[]) AND merchant_id = ANY (${merchantIds}::uuid[]) AND mode = ${mode}::mode`;
  });
  const ofWorkspace = Prisma.sql`kind = ANY (${workspaceKinds(scope)}::incident_kind[]) AND merchant_id = ${NIL_ID}::uuid
    AND (mode = ${mode}::mode OR kind <> 'correlated_outage')`;
  return Prisma.sql`(${Prisma.join([...parts, ofWorkspace], ' OR ')})`;
}

/**
 * True if the scope's people see an incident. A merchant's people see only those of the workspace's incidents that are outages which
 * concern the merchant.
 */
function isSeen({ merchantId, kind, facts }: Incident, scope: Pick<FindingScope, 'of'>): boolean {
  return isVisible({ merchantId, kind, facts: readFacts(facts) }, scope);
}

async function withNames(context: AlertsContext, rows: readonly Incident[]): Promise<IncidentInList[]> {
  const staffIds = rows.flatMap(({ acknowledgedBy }) => staffIdOf(acknowledgedBy) ?? []);
  const names = staffIds.length === 0 ? new Map<string, string>() : await readStaffNames(context.resources.database, staffIds);
  return rows.map((row) => ({ ...row, acknowledgedByName: names.get(staffIdOf(row.acknowledgedBy) ?? '') ?? null }));
}

function staffIdOf(actor: string | null): string | null {
  return actor?.startsWith('staff:') ? actor.slice('staff:'.length) : null;
}

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
