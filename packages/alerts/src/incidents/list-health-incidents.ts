import { NIL_ID, type Reports } from '@switchyard/db';
import type { Incident, IncidentAccount, Mode } from '@switchyard/db/client';

/** An incident about the health of gateway accounts, with those of its accounts that were asked for. */
export interface HealthIncident extends Incident {
  /** True if another incident covered it. */
  readonly isAbsorbed: boolean;
  readonly accounts: readonly Omit<IncidentAccount, 'chart' | 'chartAt'>[];
}

/** Filter of incidents of these merchants' accounts. */
export interface HealthIncidentQuery {
  readonly merchantIds: readonly string[];
  readonly modes: readonly Mode[];
  /** Those that lasted at some time from the first moment until before the second; null for any. */
  readonly within: { readonly from: Date; readonly to: Date } | null;
  /** One of them; null for all. */
  readonly incidentId: string | null;
}

const INCIDENTS_MAX = 500;
const ACCOUNTS_MAX = 2_000;

/** Incidents about the health of gateway accounts, those that began last first; at most 500. */
export async function listHealthIncidents(
  { prisma }: Pick<Reports, 'prisma'>,
  { merchantIds, modes, within, incidentId }: HealthIncidentQuery,
): Promise<HealthIncident[]> {
  const accounts = await prisma.incidentAccount.findMany({
    where: {
      merchantId: { in: [...merchantIds] },
      ...(incidentId !== null && { incidentId }),
      ...(within !== null && { metFrom: { lt: within.to }, OR: [{ metUntil: null }, { metUntil: { gt: within.from } }] }),
    },
    select: { merchantId: true, incidentId: true, accountId: true, metFrom: true, metUntil: true },
    orderBy: [{ metFrom: 'desc' }, { incidentId: 'desc' }, { accountId: 'asc' }],
    take: ACCOUNTS_MAX,
  });
  const byIncident = Map.groupBy(accounts, (account) => account.incidentId);
  const rows = await prisma.incident.findMany({
    where: { id: { in: [...byIncident.keys()] }, merchantId: { in: [...merchantIds, NIL_ID] }, mode: { in: [...modes] } },
    orderBy: [{ since: 'desc' }, { id: 'desc' }],
    take: INCIDENTS_MAX,
  });
  return rows.map((row) => ({
    ...row,
    isAbsorbed: row.closedReason === 'absorbed',
    accounts: byIncident.get(row.id) ?? [],
  }));
}
