import { byCode, byWords, ofPayment } from '../error-code.ts';
import type { ErrorCode } from '../gateway.ts';
import { certification } from './settings.ts';

const { errors, verify } = certification.sections;

/** Not found of a refund says nothing of a payment, and the other way round. */
const PAYMENT_DUPLICATE = { failure: 'duplicate_reference', of: 'payment' } as const;
const REFUND_DUPLICATE = { failure: 'duplicate_reference', of: 'refund' } as const;
const PAYMENT_NOT_FOUND = { failure: 'not_found', of: 'payment' } as const;
const REFUND_NOT_FOUND = { failure: 'not_found', of: 'refund' } as const;

/** A refused request has the code 99 whatever its reason: its words tell them apart, and the HTTP status is not documented. */
export const errorCodes: readonly ErrorCode[] = [
  byWords('Duplicate payment reference', /duplicate (payment|transaction) reference/i, 'ours', errors, PAYMENT_DUPLICATE),
  byWords('Duplicate refund reference', /duplicate.*refund|refund reference.*(already|used)/i, 'ours', errors, REFUND_DUPLICATE),
  byWords('Could not find specified contract', /could not find specified contract/i, 'ours', errors),
  byWords(
    'Transaction not found',
    /(could not find|no) transaction|transaction.*(not found|does not exist)/i,
    'ours',
    errors,
    PAYMENT_NOT_FOUND,
  ),
  byWords('Refund not found', /(could not find|no) refund|refund.*(not found|does not exist)/i, 'ours', errors, REFUND_NOT_FOUND),
  byWords('Invalid request', /^invalid request/i, 'ours', errors),
  byWords('Merchant is not permitted to perform this operation', /not permitted to perform/i, 'ours', errors),
  // Answered when a card transaction that is complete is initialised again.
  byCode('100', 'Duplicate payment reference', 'ours', errors, PAYMENT_DUPLICATE),
  ofPayment('FAILED', 'The transaction failed', 'declined', verify),
  ofPayment('CANCELLED', 'The transaction was cancelled', 'declined', verify, 'checkout_closed'),
  ofPayment('EXPIRED', 'The transaction expired', 'declined', verify, 'checkout_closed'),
];
