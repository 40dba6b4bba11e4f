export {
  previewStatementWithdrawal,
  type StatementWithdrawalOutcome,
  type StatementWithdrawalPreview,
  withdrawStatement,
} from '../bank/withdraw-statement.ts';
export { listPayoutChanges, type PayoutChangeItem } from './list-changes.ts';
export { previewWithdrawal, type WithdrawalOutcome, type WithdrawalPreview, withdraw } from './withdraw.ts';
