export {
  addDiscrepancyNote,
  assignDifference,
  type DifferenceOutcome,
  reopenDifference,
  resolveDifference,
} from './change-difference.ts';
export { countAllDifferences, findDifference, listDifferences, listRuns, listTotals } from './list-reconciliation.ts';
export { type ReconcileOutcome, reconcileDay } from './reconcile-day.ts';
export { requestDay, scheduleReconciliations } from './request-reconciliation.ts';
