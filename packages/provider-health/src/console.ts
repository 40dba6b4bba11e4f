import type { AccountOverview } from './history/describe-health.ts';

export { PROBED_MS } from './assess/prior.ts';
export { readHealthHistory } from './history/count-queries.ts';
export { type AccountOverview, describeHealth } from './history/describe-health.ts';
export { findCorrelatedOutages, troubleOf } from './history/find-correlated-outages.ts';
export { toOutages, toSpans } from './history/health-spans.ts';
export { type FaultyAttemptRow, listHealthFeed, readFaultyAttempts, readHealthFeed } from './history/list-health-feed.ts';
export { listHealthStates } from './history/list-health-states.ts';
export { previewThresholds } from './history/preview-thresholds.ts';
export { readErrorBudgets } from './history/read-error-budgets.ts';
export { accountsOf, readHealthStrips } from './history/read-health-strips.ts';
export { readHealthStates } from './history/state-queries.ts';
export { type ProbeState, probeAccounts } from './probes/probe-accounts.ts';
export { changeHealthThresholds } from './thresholds/change-thresholds.ts';

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
