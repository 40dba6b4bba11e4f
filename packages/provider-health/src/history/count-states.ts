import type { AccountOverview } from './describe-health.ts';

/** Enabled accounts by the worst state of any of their methods. */
export function countStates(accounts: readonly AccountOverview[]): {
  readonly down: number;
  readonly degraded: number;
  readonly all: number;
} {
  const enabled = accounts.filter((account) => account.enabled);
  const isDown = ({ fault, health }: AccountOverview) => fault !== null || health.some(({ state }) => state === 'down');
  const isDegraded = ({ health }: AccountOverview) => health.some(({ state }) => state !== 'healthy');
  const down = enabled.filter(isDown).length;
  return { down, degraded: enabled.filter((account) => !isDown(account) && isDegraded(account)).length, all: enabled.length };
}
