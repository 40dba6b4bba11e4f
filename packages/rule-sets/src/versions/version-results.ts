import type { Mode } from '@switchyard/db/client';
import { readVolume } from '@switchyard/reporting/figures';
import type { RuleSetsContext } from '../context.ts';
import { findRuleSetVersion } from './rule-set-history.ts';

/** Payments of one currency that were created while a version was active. Fees as exact decimals of the main unit. */
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
 * Results of payments while versions were active, from the roll-ups; versions that are not known are left out. Exact, but for
 * payments of the second or two in which processes take a publication over.
 */
export async function readVersionResults(
  context: RuleSetsContext,
  { merchantId, mode, versions }: { readonly merchantId: string; readonly mode: Mode; readonly versions: readonly number[] },
): Promise<VersionResults[]> {
  const now = context.now();
  const results: VersionResults[] = [];
  for (const version of new Set(versions)) {
    const found = await findRuleSetVersion(context, { merchantId, mode, version });
    if (found === null) continue;
    const period = { from: found.publishedAt, to: found.endedAt ?? now };
    const rows = await readVolume(context.resources.database.pool, {
      ...BY_CURRENCY,
      ...period,
      merchantIds: [merchantId],
      mode,
    });
    const currencies = rows.map(({ keys, payments: number, paid, failed, pending, fees }) => ({
      currency: keys.currency ?? '',
      payments: number,
      paid,
      failed,
      pending,
      fees,
    }));
    results.push({ version, currencies });
  }
  return results;
}

const BY_CURRENCY = {
  currency: null,
  asOf: null,
  zone: 'UTC',
  groupBy: ['currency'],
  gateways: [],
  accountIds: [],
  methods: [],
  statuses: [],
  ruleIds: [],
} as const;
