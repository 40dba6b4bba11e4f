import { byWords, ofPayment } from '../error-code.ts';
import type { ErrorCode } from '../gateway.ts';
import { certification } from './settings.ts';

const { errors, open, refund } = certification.sections;

/** Statuses under which "no such transaction" was seen; the words decide. */
const NOT_FOUND = { failure: 'not_found', statuses: [200, 400, 404] } as const;

/** Flutterwave v3 has no codes: its words. */
export const errorCodes: readonly ErrorCode[] = [
  byWords('No transaction was found for this id', /\bno transaction was found|\bnot found\b/i, 'ours', errors, NOT_FOUND),
  byWords('No refund was found', /no refund was found/i, 'ours', refund, NOT_FOUND),
  // A repeated tx_ref is usually accepted when the link is made; where it is not, the message names the duplicate.
  byWords('Duplicate tx_ref', /duplicate|already (exists|been used)/i, 'ours', open, { failure: 'duplicate_reference' }),
  byWords('An error occurred. Please contact support', /an error occurred/i, 'theirs', {
    title: 'Handling error timeouts',
    address: 'https://developer.flutterwave.com/docs/handling-error-timeouts',
  }),
  ofPayment('failed', 'The transaction failed', 'declined', errors),
];
