export { deleteExpiredIdempotencyRecords } from '../idempotency/delete-expired.ts';
export { settleOverdue } from './settle-overdue.ts';
