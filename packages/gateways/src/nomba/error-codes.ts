import { byCode, byWords, type ErrorCode } from '../error-code.ts';
import { certification } from './settings.ts';

const { errors, authentication, open, verify } = certification.sections;

/** Nomba's codes, with the words of answers that share one. */
export const errorCodes: readonly ErrorCode[] = [
  byWords('Transaction not found', /\b(transaction|record)( was)? not found|no transaction( was)? found/i, 'ours', errors),
  byWords('Duplicate order reference', /duplicate|already (exists|been used|used)/i, 'ours', open),
  byCode('400', 'Request failed.', 'ours', open),
  byCode('401', 'Unauthorized', 'ours', authentication),
  byCode('403', 'Forbidden', 'ours', authentication),
  byCode('404', 'Record not found', 'ours', errors),
  byCode('500', 'Server error', 'theirs', verify),
  byCode('PAYMENT_FAILED', 'The payment failed', 'declined', verify),
];
