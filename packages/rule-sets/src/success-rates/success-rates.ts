import type { Database } from '@switchyard/db';
import { lockConfiguration, raiseConfigurationRevision, readRevision } from '@switchyard/runtime';
import type { RuleSetsContext } from '../context.ts';
import { ruleSetOf } from '../document/check-document.ts';

/** Rates are of the payments of this time. */
const SINCE_MS = 28 * 24 * 3_600_000;
/** Payments younger than this may still be paid. */
const YOUNG_MS = 3_600_000;

/** Lower edges of the bands of amounts, in main units. */
const EDGES = [0, 5_001, 20_001, 100_001, 500_001] as const;

/**
 * Counts the finished payments of the last weeks by account, method and size, for merchants whose active rules rank by expected value; the
 * counts of all others are removed. Processes read a merchant's configuration again only where a count changed. Returns how many merchants
 * were counted.
 */
export async function updateSuccessRates(context: RuleSetsContext): Promise<number> {
  const { configuration, database } = context.resources;
  await configuration.ready();
  let counted = 0;
  for (const { merchant, ruleSets, successRates } of configuration.merchants()) {
    const ranks = [ruleSets.live, ruleSets.test].some((row) => row !== undefined && ranksByValue(row));
    if (!ranks && successRates.size === 0) continue;
    const rates = ranks ? await countFinished(database, merchant.id, context.now()) : [];
    const revision = await replaceRates(database, merchant.id, rates);
    if (revision !== null) await readRevision(configuration, merchant.id, revision);
    counted += ranks ? 1 : 0;
  }
  return counted;
}

function ranksByValue(row: Parameters<typeof ruleSetOf>[0]): boolean {
  const rules = ruleSetOf(row)?.rules ?? [];
  return rules.some(({ enabled, then: { strategy } }) => enabled && strategy === 'expected_value');
}

interface CountedRate {
  readonly accountId: string;
  readonly currency: string;
  readonly method: string;
  readonly amountFrom: bigint;
  readonly amountTo: bigint | null;
  readonly paid: number;
  readonly finished: number;
}

const FINISHED = `
SELECT account_id AS "accountId", currency, payment_method AS method, width_bucket(amount, $4::bigint[]) AS band,
  count(*) FILTER (WHERE status <> 'FAILED')::int AS paid, count(*)::int AS finished
FROM payment
WHERE merchant_id = $1 AND mode IN ('test', 'live') AND created_at >= $2 AND created_at < $3 AND status IN ('SUCCESS', 'REFUNDED', 'FAILED')
  AND account_id IS NOT NULL AND payment_method IS NOT NULL
GROUP BY account_id, currency, payment_method, band
ORDER BY account_id, currency, payment_method, band`;

type CountedRow = Pick<CountedRate, 'accountId' | 'currency' | 'method' | 'paid' | 'finished'> & { readonly band: number };

async function countFinished({ pool }: Database, merchantId: string, now: Date): Promise<CountedRate[]> {
  const since = new Date(now.getTime() - SINCE_MS);
  const until = new Date(now.getTime() - YOUNG_MS);
  const { rows } = await pool.query<CountedRow>(FINISHED, [merchantId, since, until, EDGES]);
  return rows.map(({ band, ...row }) => {
    const next = EDGES[band];
    return { ...row, amountFrom: BigInt(EDGES[band - 1] ?? 0), amountTo: next === undefined ? null : BigInt(next - 1) };
  });
}

/** Replaces a merchant's counts; the new revision of its configuration, null where nothing changed. */
async function replaceRates({ prisma }: Database, merchantId: string, rates: readonly CountedRate[]): Promise<number | null> {
  return prisma.$transaction(async (transaction) => {
    if (!(await lockConfiguration(transaction, merchantId))) return null;
    const before = await transaction.successRate.findMany({ where: { merchantId } });
    const known = new Set(before.map(keyOf));
    if (before.length === rates.length && rates.every((rate) => known.has(keyOf(rate)))) return null;
    await transaction.successRate.deleteMany({ where: { merchantId } });
    await transaction.successRate.createMany({ data: rates.map((rate) => ({ ...rate, merchantId })) });
    return raiseConfigurationRevision(transaction, merchantId);
  });
}

function keyOf({ accountId, currency, method, amountFrom, paid, finished }: CountedRate): string {
  return `${accountId} ${currency} ${method} ${amountFrom} ${paid} ${finished}`;
}
