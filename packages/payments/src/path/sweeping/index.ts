export { checkAfterAbsence } from './check-after-absence.ts';
export { countOverduePayments } from './queries.ts';
export { settleOverdue } from './settle-overdue.ts';
