export { changeDiscrepancies } from './change-discrepancies.ts';
export {
  addDiscrepancyNote,
  assignDiscrepancy,
  type DiscrepancyOutcome,
  reopenDiscrepancy,
  resolveDiscrepancy,
} from './change-discrepancy.ts';
export { countOpenDiscrepancies } from './count-open-discrepancies.ts';
export { ANY_DISCREPANCY, type DiscrepancyFilter } from './discrepancy-filter.ts';
export {
  countAllDiscrepancies,
  countDiscrepanciesByAge,
  findDiscrepancy,
  listDiscrepancies,
  listRuns,
  listTotals,
} from './list-reconciliation.ts';
