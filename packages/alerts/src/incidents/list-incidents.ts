import { isUuid, NIL_ID } from '@switchyard/db';
import { type Incident, type Mode, Prisma } from '@switchyard/db/client';
import { readStaffNames } from '@switchyard/staff/staff-names';
import type { AlertsContext } from '../context.ts';
import { readFacts } from './facts.ts';

const OPEN_LISTED_MAX = 500;

/** Whose incidents a reader sees. */
export interface IncidentScope {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** True if those of the workspace are seen too; otherwise only outages that concern one of the merchants. */
  readonly workspace: boolean;
}

/** The severities that lists tell apart: what is only information counts as a warning. */
export type ListedSeverity = 'critical' | 'warning';

/** An incident with the names of who acted on it. */
export interface IncidentInList extends Incident {
  readonly acknowledgedByName: string | null;
}

/** Open incidents, the latest first; at most 500. */
export async function listOpen(context: AlertsContext, scope: IncidentScope): Promise<IncidentInList[]> {
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
export interface ClosedQuery extends IncidentScope {
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
    where: { merchantId: { in: [...query.merchantIds, NIL_ID] }, id: { in: page.map(({ id }) => id) } },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const incidents = page.flatMap(({ id }) => byId.get(id) ?? []).filter((incident) => isSeen(incident, query));
  return { items: await withNames(context, incidents), next: keys.length > query.limit ? (page.at(-1) ?? null) : null };
}

/** Selects the keys of a page's incidents and of the one after them. */
function selectClosed({ merchantIds, mode, severity, sort, after, limit }: ClosedQuery): Prisma.Sql {
  const value = Prisma.raw(closedValue(sort.by));
  const direction = Prisma.raw(sort.descending ? 'DESC' : 'ASC');
  const beyond = Prisma.raw(sort.descending ? '<' : '>');
  const conditions = [
    Prisma.sql`closed_at IS NOT NULL`,
    Prisma.sql`(merchant_id = ANY (${merchantIds}::uuid[]) AND mode = ${mode}::mode
      OR merchant_id = ${NIL_ID}::uuid AND (mode = ${mode}::mode OR kind <> 'correlated_outage'))`,
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
export async function countClosed(context: AlertsContext, scope: IncidentScope): Promise<Record<ListedSeverity, number>> {
  const { prisma } = context.resources.database;
  const closed = { closedAt: { not: null } };
  // The visibility of a workspace outage depends on its facts.
  const counted = scope.workspace ? whereOf(scope) : { merchantId: { in: [...scope.merchantIds] }, mode: scope.mode };
  const [groups, outages] = await Promise.all([
    prisma.incident.groupBy({ by: 'severity', where: { ...closed, ...counted }, _count: true }),
    scope.workspace
      ? []
      : prisma.incident.findMany({ where: { ...closed, merchantId: NIL_ID, kind: 'correlated_outage', mode: scope.mode } }),
  ]);
  const counts = { critical: 0, warning: 0 };
  for (const { severity, _count } of groups) counts[severity === 'critical' ? 'critical' : 'warning'] += _count;
  for (const outage of outages) if (isSeen(outage, scope)) counts[outage.severity === 'critical' ? 'critical' : 'warning'] += 1;
  return counts;
}

/** One incident of these merchants, or null. */
export async function findIncident(
  context: AlertsContext,
  { incidentId, ...scope }: Omit<IncidentScope, 'mode'> & { readonly incidentId: string },
): Promise<IncidentInList | null> {
  if (!isUuid(incidentId)) return null;
  const row = await context.resources.database.prisma.incident.findFirst({
    where: { id: incidentId, merchantId: { in: [...scope.merchantIds, NIL_ID] } },
  });
  if (row === null || !isSeen(row, scope)) return null;
  return (await withNames(context, [row]))[0] ?? null;
}

function whereOf({ merchantIds, mode }: IncidentScope): Prisma.IncidentWhereInput {
  return {
    OR: [
      { merchantId: { in: [...merchantIds] }, mode },
      { merchantId: NIL_ID, OR: [{ mode }, { kind: { not: 'correlated_outage' } }] },
    ],
  };
}

/** Of the workspace's incidents a merchant's people see only outages that concern the merchant. */
function isSeen({ merchantId, facts }: Incident, { merchantIds, workspace }: Omit<IncidentScope, 'mode'>): boolean {
  if (merchantId !== NIL_ID || workspace) return true;
  const read = readFacts(facts);
  return read.of === 'outage' && read.members.some((member) => merchantIds.includes(member.merchantId));
}

async function withNames(context: AlertsContext, rows: readonly Incident[]): Promise<IncidentInList[]> {
  const staffIds = rows.flatMap(({ acknowledgedBy }) => staffIdOf(acknowledgedBy) ?? []);
  const names = staffIds.length === 0 ? new Map<string, string>() : await readStaffNames(context.resources.database, staffIds);
  return rows.map((row) => ({ ...row, acknowledgedByName: names.get(staffIdOf(row.acknowledgedBy) ?? '') ?? null }));
}

function staffIdOf(actor: string | null): string | null {
  return actor?.startsWith('staff:') ? actor.slice('staff:'.length) : null;
}
