import { byCode, byWords, type ErrorCode } from '../error-code.ts';
import { certification } from './settings.ts';

const { errors, verify, refund } = certification.sections;

/** Paystack's codes, with the words of answers that have none. */
export const errorCodes: readonly ErrorCode[] = [
  byCode('duplicate_reference', 'Duplicate Transaction Reference', 'ours', errors),
  byWords('Duplicate Transaction Reference', /duplicate transaction reference/i, 'ours', errors),
  byCode('missing_params', 'Email Address is required', 'ours', errors),
  byCode('invalid_params', 'Invalid Refund state', 'ours', refund),
  byCode('transaction_not_found', 'Transaction reference not found', 'ours', errors),
  byCode('refund_not_found', 'Refund not found', 'ours', errors),
  byCode('not_found', 'Entity not found', 'ours', errors),
  byWords('Entity not found', /not found/i, 'ours', errors),
  byWords('Invalid key', /invalid key/i, 'ours', errors),
  byWords('Invalid Amount Sent', /invalid amount/i, 'ours', errors),
  byWords('Refund amount cannot be greater than initial amount', /refund amount cannot be/i, 'ours', refund),
  byCode('failed', 'The transaction failed', 'declined', verify),
];
