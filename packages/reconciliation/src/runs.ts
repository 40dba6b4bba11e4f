export { type ReconcileOutcome, reconcileDay } from './reconcile-day.ts';
export { requestDay, scheduleReconciliations } from './request-reconciliation.ts';
