import { byCode, byWords, ofPayment } from '../error-code.ts';
import type { ErrorCode } from '../gateway.ts';
import { certification } from './settings.ts';

const { errors, authentication, open, verify } = certification.sections;

const NOT_FOUND = { failure: 'not_found' } as const;

/**
 * Nomba's codes, with the words of answers that share one. Of an unknown reference three pages have three answers: HTTP 404 with the code 404
 * ("Record not found"), the code 01 ("Transaction not found"), and observations of the sandbox ("No transaction found for …"). No page says
 * what a reference that was used before is answered with.
 */
export const errorCodes: readonly ErrorCode[] = [
  byWords(
    'Transaction not found',
    /\b(transaction|record)( was)? not found|no transaction( was)? found/i,
    'ours',
    errors,
    NOT_FOUND,
  ),
  byWords('Duplicate order reference', /duplicate|already (exists|been used|used)/i, 'ours', open, {
    failure: 'duplicate_reference',
  }),
  byCode('400', 'Request failed.', 'ours', open),
  byCode('401', 'Unauthorized', 'ours', authentication, { failure: 'invalid_credentials' }),
  byCode('403', 'Forbidden', 'ours', authentication, { failure: 'invalid_credentials' }),
  // The code of any path that is not there: the words decide.
  byCode('404', 'Record not found', 'ours', errors),
  byCode('500', 'Server error', 'theirs', verify),
  ofPayment('PAYMENT_FAILED', 'The payment failed', 'declined', verify),
];
