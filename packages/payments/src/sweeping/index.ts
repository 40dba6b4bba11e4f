export { checkAfterAbsence } from './check-after-absence.ts';
export { countOverduePayments } from './count-overdue-payments.ts';
export { settleOverdue } from './settle-overdue.ts';
