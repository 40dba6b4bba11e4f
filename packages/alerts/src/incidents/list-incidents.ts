import { isUuid, NIL_ID } from '@switchyard/db';
import type { Incident, Mode, Prisma } from '@switchyard/db/client';
import type { MerchantsContext } from '@switchyard/merchants';
import { readStaffNames } from '@switchyard/staff';
import { readFacts } from './facts.ts';

const OPEN_LISTED_MAX = 500;

/** Whose incidents a reader sees. */
export interface IncidentScope {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** Whether those of the workspace are seen too; without it, only outages that concern one of the merchants. */
  readonly workspace: boolean;
}

/** The severities that lists tell apart: what is only information counts as a warning. */
export type ListedSeverity = 'critical' | 'warning';

/** An incident with the names of who acted on it. */
export interface IncidentInList extends Incident {
  readonly acknowledgedByName: string | null;
}

/** Open incidents, the latest first; at most 500. */
export async function listOpen(context: MerchantsContext, scope: IncidentScope): Promise<IncidentInList[]> {
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

/** A page of the incidents that are closed, the latest first. */
export async function listClosed(
  context: MerchantsContext,
  {
    after,
    limit,
    severity,
    ...scope
  }: IncidentScope & { readonly severity: ListedSeverity | null; readonly after: string | null; readonly limit: number },
): Promise<{ readonly items: readonly IncidentInList[]; readonly next: string | null }> {
  // Ids are made in the order of time, so that they page a list as times would.
  const rows = await context.resources.database.prisma.incident.findMany({
    where: {
      closedAt: { not: null },
      ...whereOf(scope),
      ...(severity !== null && { severity: severity === 'critical' ? 'critical' : { not: 'critical' } }),
      ...(after !== null && isUuid(after) && { id: { lt: after } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
  return {
    items: await withNames(
      context,
      page.filter((incident) => isSeen(incident, scope)),
    ),
    next,
  };
}

/** How many closed incidents a reader sees of each severity. */
export async function countClosed(context: MerchantsContext, scope: IncidentScope): Promise<Record<ListedSeverity, number>> {
  const { prisma } = context.resources.database;
  const closed = { closedAt: { not: null } };
  // Whether an outage of the workspace is seen depends on its facts.
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
  context: MerchantsContext,
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

async function withNames(context: MerchantsContext, rows: readonly Incident[]): Promise<IncidentInList[]> {
  const staffIds = rows.flatMap(({ acknowledgedBy }) => staffIdOf(acknowledgedBy) ?? []);
  const names = staffIds.length === 0 ? new Map<string, string>() : await readStaffNames(context.resources.database, staffIds);
  return rows.map((row) => ({ ...row, acknowledgedByName: names.get(staffIdOf(row.acknowledgedBy) ?? '') ?? null }));
}

function staffIdOf(actor: string | null): string | null {
  return actor?.startsWith('staff:') ? actor.slice('staff:'.length) : null;
}
