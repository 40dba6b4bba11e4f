import { byCode, byWords, ofPayment } from '../error-code.ts';
import type { ErrorCode } from '../gateway.ts';
import { certification } from './settings.ts';

const { errors, verify, refund } = certification.sections;

/** Statuses that an unknown reference was seen under; the code or the words decide, not the status alone. */
const NOT_FOUND = { failure: 'not_found', statuses: [400, 404] } as const;

/** Paystack's codes, with the words of answers that have none. */
export const errorCodes: readonly ErrorCode[] = [
  byCode('duplicate_reference', 'Duplicate Transaction Reference', 'ours', errors, {
    message: /duplicate transaction reference/i,
    failure: 'duplicate_reference',
  }),
  byCode('transaction_not_found', 'Transaction reference not found', 'ours', errors, NOT_FOUND),
  byCode('refund_not_found', 'Refund not found', 'ours', errors, NOT_FOUND),
  byCode('not_found', 'Entity not found', 'ours', errors, { message: /not found/i, ...NOT_FOUND }),
  byWords('Invalid key', /invalid key/i, 'ours', errors),
  byWords('Invalid Amount Sent', /invalid amount/i, 'ours', errors),
  byWords('Refund amount cannot be greater than initial amount', /refund amount cannot be/i, 'ours', refund),
  byCode('missing_params', 'Email Address is required', 'ours', errors),
  byCode('invalid_params', 'Invalid Refund state', 'ours', refund),
  ofPayment('failed', 'The transaction failed', 'declined', verify),
];
