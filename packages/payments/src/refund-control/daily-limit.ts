import type { StaffRole } from '@switchyard/db/client';
import type { RefundControl } from './queries.ts';

/** Of the days that limits are counted by. */
export const LIMIT_ZONE = 'Africa/Lagos';

/** The amount that someone with these roles may request on a day: the highest of their limits, null without one. */
export function dailyLimitOf({ dailyLimits }: Pick<RefundControl, 'dailyLimits'>, roles: readonly StaffRole[]): bigint | null {
  let highest: bigint | null = null;
  for (const role of roles) {
    const limit = dailyLimits[role];
    if (limit === undefined) return null;
    if (highest === null || limit > highest) highest = limit;
  }
  return highest;
}
