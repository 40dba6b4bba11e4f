export { settleOverdue } from './settle-overdue.ts';
