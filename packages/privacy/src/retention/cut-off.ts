import { NIL_ID } from '@switchyard/db';
import { RETENTION_LIMITS, type RetentionKind } from './kinds.ts';

const DAY_MS = 86_400_000;

/** A stored setting: days of one kind, of one merchant or, under the nil UUID, of all without a setting of their own. */
export interface StoredSetting {
  readonly merchantId: string;
  readonly kind: string;
  readonly days: number;
}

/** The days a merchant's data of a kind is kept, and where that was decided. */
export interface EffectiveDays {
  readonly days: number;
  readonly from: 'default' | 'workspace' | 'merchant';
}

/**
 * The setting that applies: the merchant's, else the workspace's, else the default. A stored number outside the limits counts as the
 * nearest limit, so that no stored value removes what the product needs.
 */
export function effectiveDays(settings: readonly StoredSetting[], merchantId: string, kind: RetentionKind): EffectiveDays {
  const { of, defaultDays, minDays, maxDays } = RETENTION_LIMITS[kind];
  const find = (owner: string) => settings.find((one) => one.kind === kind && one.merchantId === owner)?.days;
  const own = of === 'merchant' && merchantId !== NIL_ID ? find(merchantId) : undefined;
  const workspace = find(NIL_ID);
  const days = Math.min(maxDays, Math.max(minDays, own ?? workspace ?? defaultDays));
  return { days, from: own !== undefined ? 'merchant' : workspace !== undefined ? 'workspace' : 'default' };
}

/** The instant before which data is removed. */
export function cutOff(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
