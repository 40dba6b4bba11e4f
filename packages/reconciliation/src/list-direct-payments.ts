import type { Database } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { listGateways } from '@switchyard/merchants/console/gateway-accounts';
import { countDirectPayments } from '@switchyard/payments/console/payments';
import type { RuntimeContext } from '@switchyard/runtime';

/** Payments on one account's statements that are not in our ledger. */
interface UnrecordedPayments {
  readonly merchantId: string;
  readonly accountId: string;
  readonly count: number;
}

const COUNT = `
SELECT merchant_id AS "merchantId", account_id AS "accountId", count(*)::int AS count FROM reconciliation_discrepancy
WHERE merchant_id = ANY ($1::uuid[]) AND mode = $2::mode AND day >= $3::date AND kind = 'MISSING_HERE' AND subject NOT LIKE 'refund%'
GROUP BY merchant_id, account_id`;

/** Statement lines of payments that are missing here, of days since one (`2026-11-22`); accounts without any are left out. */
export async function countUnrecordedPayments(
  { pool }: Database,
  { merchantIds, mode, since }: { readonly merchantIds: readonly string[]; readonly mode: Mode; readonly since: string },
): Promise<UnrecordedPayments[]> {
  const { rows } = await pool.query<UnrecordedPayments>({
    name: 'count-unrecorded-payments',
    text: COUNT,
    values: [merchantIds, mode, since],
  });
  return rows;
}

const DAYS = 7;
const DAY_MS = 24 * 3_600_000;

/** Payments that reached a gateway account without coming through here. */
export interface DirectPayments {
  readonly accountId: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly gateway: string;
  readonly label: string;
  /** Distinct references in genuine webhooks. */
  readonly reported: number;
  readonly lastReportedAt: Date | null;
  /** Payments on statements. */
  readonly onStatements: number;
}

/** Payments of the last 7 days that came to each account of these merchants directly, by its webhooks and by its statements. */
export async function listDirectPayments(
  context: RuntimeContext<'configuration' | 'database'>,
  { merchantIds, mode }: { readonly merchantIds: readonly string[]; readonly mode: Mode },
): Promise<DirectPayments[]> {
  const { database, configuration } = context.resources;
  const since = new Date(context.now().getTime() - DAYS * DAY_MS);
  const [accounts, reported, missing] = await Promise.all([
    Promise.all(merchantIds.map((id) => listGateways(context, { merchantId: id, mode }))),
    countDirectPayments(context, { merchantIds, mode, since }),
    countUnrecordedPayments(database, { merchantIds, mode, since: since.toISOString().slice(0, 10) }),
  ]);
  return accounts.flat().map(({ id: accountId, merchantId, gateway, label }) => {
    const webhooks = reported.find((each) => each.accountId === accountId);
    return {
      accountId,
      merchantId,
      merchantName: configuration.merchant(merchantId)?.merchant.name ?? merchantId,
      gateway,
      label,
      reported: webhooks?.references ?? 0,
      lastReportedAt: webhooks?.lastAt ?? null,
      onStatements: missing.find((each) => each.accountId === accountId)?.count ?? 0,
    };
  });
}
