import { byCode, byWords, type ErrorCode } from '../error-code.ts';
import { certification } from './settings.ts';

const { errors, open, verify } = certification.sections;

/** Squad has no codes: its words. */
export const errorCodes: readonly ErrorCode[] = [
  byWords('Invalid transaction reference', /invalid transaction ref|transaction (was )?not found/i, 'ours', errors),
  byWords('Initiate transaction Unauthorized', /unauthorized/i, 'ours', open),
  byWords('API key is invalid', /api key is invalid/i, 'ours', errors),
  byWords('One or more validation errors occurred', /one or more validation errors/i, 'ours', open),
  byWords('amount cannot be < 0', /amount cannot be/i, 'ours', open),
  byWords('Duplicate transaction reference', /duplicate|already (exists?|been used|used)|must be unique/i, 'ours', open),
  byCode('failed', 'The transaction failed', 'declined', verify),
];
