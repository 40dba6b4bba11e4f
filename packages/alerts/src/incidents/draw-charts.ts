import { toPrismaJson } from '@switchyard/db';
import { readHealthHistory, readHealthStates } from '@switchyard/provider-health/console';
import type { DetectionContext } from '../context.ts';
import type { IncidentChart } from './incident-chart.ts';

const MINUTE_MS = 60_000;
/** Before payments met the fault, so that the chart shows what was usual. */
const LEAD_MS = 25 * MINUTE_MS;
/** How often the chart of an open incident is drawn again. Counts of the last seconds arrive within it, too. */
const REDRAWN_MS = MINUTE_MS;
/** An incident that ended longer ago has the chart it has. */
const ENDED_MAX_MS = 60 * MINUTE_MS;
const STEPS_MAX = 240;
const ROWS_MAX = 5_000;
const CHANGES_MAX = 500;
const CHARTS_MAX = 50;

interface DueChart {
  readonly merchantId: string;
  readonly incidentId: string;
  readonly accountId: string;
  readonly metFrom: Date;
  readonly metUntil: Date | null;
}

/**
 * Draws the charts of open incidents again once a minute, and of those that ended at their end and once more a minute later. Health counts
 * age out; the chart stays with the incident. At most 50 at once, the others by the next call.
 */
export async function drawIncidentCharts(context: DetectionContext): Promise<void> {
  const { prisma } = context.resources.database;
  const now = context.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  const due = await prisma.$queryRaw<DueChart[]>`
    SELECT merchant_id AS "merchantId", incident_id AS "incidentId", account_id AS "accountId", met_from AS "metFrom",
      met_until AS "metUntil"
    FROM incident_account
    WHERE (met_until IS NULL OR met_until > ${before(ENDED_MAX_MS)}::timestamptz)
      AND (chart_at IS NULL OR chart_at < met_until OR chart_at <= ${before(REDRAWN_MS)}::timestamptz
        AND (met_until IS NULL OR chart_at < met_until + ${REDRAWN_MS} * interval '1 millisecond'))
    ORDER BY chart_at NULLS FIRST, merchant_id, incident_id, account_id LIMIT ${CHARTS_MAX}`;
  for (const { metFrom, metUntil, ...key } of due) {
    const chart = await drawChart(context, key, { from: metFrom, to: metUntil ?? now });
    await prisma.incidentAccount.updateMany({ where: key, data: { chart: toPrismaJson(chart), chartAt: now } });
  }
}

/** The health of an account in a period and shortly before it, in at most 240 steps of whole minutes. */
async function drawChart(
  { resources }: DetectionContext,
  { merchantId, accountId }: Pick<DueChart, 'merchantId' | 'accountId'>,
  met: { readonly from: Date; readonly to: Date },
): Promise<IncidentChart> {
  const { database } = resources;
  const spanMs = met.to.getTime() - met.from.getTime() + LEAD_MS;
  const stepMs = Math.max(1, Math.ceil(spanMs / MINUTE_MS / STEPS_MAX)) * MINUTE_MS;
  const to = new Date(Math.ceil(met.to.getTime() / stepMs) * stepMs);
  const from = new Date(Math.floor((met.from.getTime() - LEAD_MS) / stepMs) * stepMs);
  const accounts = { merchantIds: [merchantId], accountIds: [accountId] };
  const [steps, states] = await Promise.all([
    readHealthHistory(database, { ...accounts, from, to, stepMs }, ROWS_MAX),
    readHealthStates(database, accounts, { from, to: met.to }, CHANGES_MAX),
  ]);
  return {
    from,
    to,
    stepMs,
    series: [...Map.groupBy(steps, ({ method }) => method)].map(([method, own]) => ({
      method: method === '*' ? null : method,
      steps: own.map(({ at }) => Math.round((at.getTime() - from.getTime()) / stepMs)),
      succeeded: own.map(({ succeeded }) => succeeded),
      faulted: own.map(({ faulted }) => faulted),
      latencyMs: own.map(({ succeeded, latencyMsSum }) => (succeeded === 0 ? null : Math.round(latencyMsSum / succeeded))),
    })),
    states: states
      .map(({ method, state, why, at }) => ({ method, state, why, at }))
      .sort((left, right) => left.at.getTime() - right.at.getTime()),
  };
}
