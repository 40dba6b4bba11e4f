export { changeDiscrepancies } from './change-discrepancies.ts';
export {
  addDiscrepancyNote,
  assignDiscrepancy,
  type DiscrepancyOutcome,
  reopenDiscrepancy,
  resolveDiscrepancy,
} from './change-discrepancy.ts';
export { countOpenDiscrepancies } from './count-open-discrepancies.ts';
export { countUnrecordedPayments } from './count-unrecorded-payments.ts';
export { eraseDiscrepancyTexts, readDiscrepanciesOf } from './customer-discrepancies.ts';
export { ANY_DISCREPANCY, type DiscrepancyFilter, discrepancyList } from './discrepancy-filter.ts';
export {
  countAllDiscrepancies,
  countDiscrepanciesByAge,
  findDiscrepancy,
  listDiscrepancies,
  listRuns,
  listTotals,
} from './list-reconciliation.ts';
export { type ReconcileOutcome, reconcileDay } from './reconcile-day.ts';
export { requestDay, scheduleReconciliations } from './request-reconciliation.ts';
export { changeTolerance, listTolerances, TOLERANCE_MAX } from './tolerance.ts';
