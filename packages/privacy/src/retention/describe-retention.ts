import { NIL_ID } from '@switchyard/db';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import type { PrivacyContext } from '../context.ts';
import { type EffectiveDays, effectiveDays } from './cut-off.ts';
import { RETENTION_KINDS, RETENTION_LIMITS, type RetentionKind, type RetentionLimits } from './kinds.ts';
import { readProgress, readSettings } from './queries.ts';

/** A kind of data with its setting and the last run. */
export interface DescribedRetention extends RetentionLimits, EffectiveDays {
  readonly kind: RetentionKind;
  /** Days that apply without a setting here: the workspace's for a merchant, else the default. */
  readonly otherwiseDays: number;
  /** When ageing out last came to the end, of the latest merchant in question; null before the first time. */
  readonly lastRunAt: Date | null;
  /** Rows removed by the last run and in all, of the merchants in question together. */
  readonly removedLastRun: number;
  readonly removedInAll: number;
}

/**
 * How long each kind is kept, and what ageing out removed. With a merchant, its settings, and only kinds that merchants have; without,
 * the workspace's settings, and what was removed of `visibleMerchantIds` together.
 */
export async function describeRetention(
  context: PrivacyContext,
  { merchantId, visibleMerchantIds }: { readonly merchantId: string | null; readonly visibleMerchantIds: readonly string[] },
): Promise<readonly DescribedRetention[]> {
  const owner = merchantId ?? NIL_ID;
  const [settings, progress] = await inSnapshot(context, ({ resources: { database } }) =>
    Promise.all([
      readSettings(database.prisma, [owner, NIL_ID]),
      readProgress(database, merchantId === null ? [...visibleMerchantIds, NIL_ID] : [merchantId]),
    ]),
  );
  const kinds = RETENTION_KINDS.filter((kind) => merchantId === null || RETENTION_LIMITS[kind].of === 'merchant');
  return kinds.map((kind) => {
    const runs = progress.filter((one) => one.kind === kind);
    const times = runs.flatMap(({ lastRunAt }) => lastRunAt?.getTime() ?? []);
    return {
      kind,
      ...RETENTION_LIMITS[kind],
      ...effectiveDays(settings, owner, kind),
      otherwiseDays: merchantId === null ? RETENTION_LIMITS[kind].defaultDays : effectiveDays(settings, NIL_ID, kind).days,
      lastRunAt: times.length === 0 ? null : new Date(Math.max(...times)),
      removedLastRun: runs.reduce((sum, run) => sum + run.removedLastRun, 0),
      removedInAll: Number(runs.reduce((sum, run) => sum + run.removedInAll, 0n)),
    };
  });
}
