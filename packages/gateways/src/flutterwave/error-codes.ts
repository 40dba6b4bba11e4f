import { byCode, byWords, type ErrorCode } from '../error-code.ts';
import { certification } from './settings.ts';

const { errors, open, refund } = certification.sections;

/** Flutterwave v3 has no codes: its words. */
export const errorCodes: readonly ErrorCode[] = [
  byWords('No transaction was found for this id', /no transaction was found|not found/i, 'ours', errors),
  byWords('No refund was found', /no refund was found/i, 'ours', refund),
  byWords('Duplicate tx_ref', /duplicate|already (exists|been used)/i, 'ours', open),
  byWords('An error occurred. Please contact support', /an error occurred/i, 'theirs', {
    title: 'Handling error timeouts',
    address: 'https://developer.flutterwave.com/docs/handling-error-timeouts',
  }),
  byCode('failed', 'The transaction failed', 'declined', errors),
];
