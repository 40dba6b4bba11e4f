import type { Mode } from '@switchyard/db/client';
import { readVolume } from '@switchyard/reporting';
import { describeRouting, findRuleSetVersion } from '@switchyard/rule-sets';
import type { Switchyard } from '../process.ts';

/** Payments of one currency that were created while a version was in force. Fees as exact decimals of the main unit. */
interface CurrencyResults {
  readonly currency: string;
  readonly payments: number;
  readonly paid: number;
  readonly failed: number;
  readonly pending: number;
  readonly fees: string;
}

/** The results of a version. */
interface VersionResults {
  readonly version: number;
  /** One for each currency with payments. */
  readonly currencies: readonly CurrencyResults[];
}

/**
 * What payments came to while versions were in force, from the roll-ups; versions that are not known are left out. Exact, but for
 * payments of the second or two in which processes take a publication over.
 */
export async function readVersionResults(
  { merchants, payments, resources }: Switchyard,
  { merchantId, mode, versions }: { readonly merchantId: string; readonly mode: Mode; readonly versions: readonly number[] },
): Promise<VersionResults[]> {
  const overview = await describeRouting(payments, { merchantId, mode });
  const currencies = [...new Set(overview?.accounts.flatMap((account) => account.currencies) ?? [])];
  const now = payments.now();
  const results: VersionResults[] = [];
  for (const version of new Set(versions)) {
    const found = await findRuleSetVersion(merchants, { merchantId, mode, version });
    if (found === null) continue;
    const period = { from: found.publishedAt, to: found.endedAt ?? now };
    const rows: CurrencyResults[] = [];
    for (const currency of currencies) {
      const [sums] = await readVolume(resources.database.pool, {
        ...EVERYTHING,
        ...period,
        merchantIds: [merchantId],
        mode,
        currency,
      });
      if (sums === undefined) continue;
      const { payments: number, paid, failed, pending, fees } = sums;
      rows.push({ currency, payments: number, paid, failed, pending, fees });
    }
    results.push({ version, currencies: rows });
  }
  return results;
}

const EVERYTHING = {
  asOf: null,
  zone: 'UTC',
  groupBy: [],
  gateways: [],
  accountIds: [],
  methods: [],
  statuses: [],
  ruleIds: [],
};
