export { countOverduePayments } from './count-overdue-payments.ts';
export { fillFailureReasons } from './fill-failure-reasons.ts';
export { settleOverdue } from './settle-overdue.ts';
