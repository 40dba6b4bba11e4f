import type { StaffRole } from '@switchyard/db/client';
import type { RoleKey } from '@switchyard/staff/permissions';
import type { RefundControl } from './queries.ts';

/** Of the days that limits are counted by. */
export const LIMIT_ZONE = 'Africa/Lagos';

/** Roles that refund any amount until the merchant sets a limit. All others refund within that of Support alone: nothing, until it is set. */
const UNLIMITED: readonly StaffRole[] = ['owner', 'finance', 'developer'];

/** The amount that someone with these roles may request on a day: the highest of their limits, null for any amount. */
export function dailyLimitOf({ dailyLimits }: Pick<RefundControl, 'dailyLimits'>, roles: readonly RoleKey[]): bigint | null {
  let highest: bigint | null = null;
  for (const role of roles) {
    const limit = limitOf(dailyLimits, role);
    if (limit === undefined) return null;
    if (highest === null || limit > highest) highest = limit;
  }
  return highest;
}

function limitOf(dailyLimits: RefundControl['dailyLimits'], role: RoleKey): bigint | undefined {
  const unlimited = UNLIMITED.find((each) => each === role);
  return unlimited === undefined ? (dailyLimits.support ?? 0n) : dailyLimits[unlimited];
}
