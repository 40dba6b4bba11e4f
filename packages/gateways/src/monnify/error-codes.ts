import { byCode, byWords, type ErrorCode } from '../error-code.ts';
import { certification } from './settings.ts';

const { errors, verify } = certification.sections;

/** Monnify answers most errors under the code 99: its words tell them apart. */
export const errorCodes: readonly ErrorCode[] = [
  byWords('Duplicate payment reference', /duplicate (payment|transaction) reference/i, 'ours', errors),
  byWords('Duplicate refund reference', /duplicate.*refund|refund reference.*(already|used)/i, 'ours', errors),
  byWords('Could not find specified contract', /could not find specified contract/i, 'ours', errors),
  byWords('Transaction not found', /(could not find|no) transaction|transaction.*(not found|does not exist)/i, 'ours', errors),
  byWords('Refund not found', /(could not find|no) refund|refund.*(not found|does not exist)/i, 'ours', errors),
  byWords('Invalid request', /^invalid request/i, 'ours', errors),
  byWords('Merchant is not permitted to perform this operation', /not permitted to perform/i, 'ours', errors),
  byCode('100', 'Duplicate payment reference', 'ours', errors),
  byCode('FAILED', 'The transaction failed', 'declined', verify),
  byCode('CANCELLED', 'The transaction was cancelled', 'declined', verify),
  byCode('EXPIRED', 'The transaction expired', 'declined', verify),
];
