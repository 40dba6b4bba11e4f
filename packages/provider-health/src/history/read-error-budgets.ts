import type { PaymentMethod } from '@switchyard/routing';
import type { HealthContext } from '../context.ts';
import { thresholdsOf } from '../thresholds/thresholds.ts';
import { readHealthHistory } from './count-queries.ts';
import { type HealthQuery, toMethod } from './describe-health.ts';
import { accountsOf } from './read-health-strips.ts';

/** Openings of checkouts in a period. */
export interface Openings {
  readonly succeeded: number;
  /** Failed by the gateway's fault. */
  readonly faulted: number;
}

/** How much of what an account may fail to open in 30 days has failed. Shares are 0 to 1, and more where the budget is overspent. */
export interface ErrorBudget {
  readonly opened: number;
  readonly failed: number;
  /** How many may fail among as many openings. */
  readonly allowed: number;
  /** Failed over allowed; 0 without any opening. */
  readonly used: number;
  /** The share that failed in the last hour over the share that may fail: at 1 the budget lasts 30 days. Null without openings. */
  readonly burnRate: number | null;
}

/** The error budget of one account and method. */
export interface MethodErrorBudget extends ErrorBudget {
  readonly accountId: string;
  /** Null for all methods together. */
  readonly method: PaymentMethod | null;
  /** The share of openings that should succeed. */
  readonly target: number;
}

const HOUR_MS = 3_600_000;
const BUDGET_MS = 30 * 24 * HOUR_MS;
const ROWS_MAX = 10_000;

/** The error budget for a target, from the openings of 30 days and of the last hour. */
export function errorBudget(target: number, month: Openings, hour: Openings): ErrorBudget {
  const opened = month.succeeded + month.faulted;
  const allowed = opened * (1 - target);
  const recent = hour.succeeded + hour.faulted;
  return {
    opened,
    failed: month.faulted,
    allowed,
    used: allowed === 0 ? 0 : month.faulted / allowed,
    burnRate: recent === 0 ? null : hour.faulted / recent / (1 - target),
  };
}

/** The error budgets of these accounts, of each method that opened a checkout in 30 days and of all methods together. */
export async function readErrorBudgets(
  context: HealthContext,
  query: HealthQuery & { readonly accountId: string | null },
): Promise<MethodErrorBudget[]> {
  const { database, configuration } = context.resources;
  const accountIds = await accountsOf(context, query);
  const to = new Date(context.now().getTime() + 1);
  const since = async (ms: number) => {
    const from = new Date(to.getTime() - ms);
    const rows = await readHealthHistory(
      database,
      { merchantIds: query.merchantIds, accountIds, from, to, stepMs: ms },
      ROWS_MAX,
    );
    // A period meets two steps, which are counted from 1970.
    return Map.groupBy(rows, ({ accountId, method }) => `${accountId}|${method}`);
  };
  const [months, hours] = await Promise.all([since(BUDGET_MS), since(HOUR_MS)]);
  return [...months].flatMap(([key, rows]) => {
    const [first] = rows;
    if (first === undefined) return [];
    const { openingTarget: target } = thresholdsOf(configuration.merchant(first.merchantId), query.mode);
    const budget = errorBudget(target, sum(rows), sum(hours.get(key) ?? []));
    return [{ accountId: first.accountId, method: toMethod(first.method), target, ...budget }];
  });
}

function sum(counts: readonly Openings[]): Openings {
  return {
    succeeded: counts.reduce((total, { succeeded }) => total + succeeded, 0),
    faulted: counts.reduce((total, { faulted }) => total + faulted, 0),
  };
}
