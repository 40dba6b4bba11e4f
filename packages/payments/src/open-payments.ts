import { newId, type Resources } from '@switchyard/db';
import type { PaymentsContext } from './context.ts';
import { createHealthMonitor } from './health-monitor.ts';

const INITIATE_BUDGET_MS = 20_000;

/** What the use cases of payments need, on a process's resources. */
export function openPayments(resources: Resources): PaymentsContext {
  const now = () => new Date();
  return { resources, health: createHealthMonitor({ now }), now, newId, initiateBudgetMs: INITIATE_BUDGET_MS };
}
