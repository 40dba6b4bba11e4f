import { byWords, ofPayment } from '../error-code.ts';
import type { ErrorCode } from '../gateway.ts';
import { certification } from './settings.ts';

const { errors, open, verify } = certification.sections;

const UNAUTHORIZED = { failure: 'invalid_credentials' } as const;

/** Squad has no codes: its words. References must be unique; the words of that refusal are not documented. */
export const errorCodes: readonly ErrorCode[] = [
  byWords('Invalid transaction reference', /invalid transaction ref|transaction (was )?not found/i, 'ours', errors, {
    failure: 'not_found',
    statuses: [400, 404],
  }),
  byWords('Initiate transaction Unauthorized', /unauthorized/i, 'ours', open, UNAUTHORIZED),
  byWords('API key is invalid', /api key is invalid/i, 'ours', errors, UNAUTHORIZED),
  byWords('One or more validation errors occurred', /one or more validation errors/i, 'ours', open),
  byWords('amount cannot be < 0', /amount cannot be/i, 'ours', open),
  byWords('Duplicate transaction reference', /duplicate|already (exists?|been used|used)|must be unique/i, 'ours', open, {
    failure: 'duplicate_reference',
  }),
  ofPayment('failed', 'The transaction failed', 'declined', verify),
];
