import { byWords, ofPayment } from '../error-code.ts';
import type { ErrorCode } from '../gateway.ts';
import { certification } from './settings.ts';

const { errors, verify } = certification.sections;

const DUPLICATE = { failure: 'duplicate_reference' } as const;
/** Statuses that an unknown reference may come under; the words decide. */
const NOT_FOUND = { failure: 'not_found', statuses: [200, 400, 404] } as const;

/** Kora has no codes: its words, as its page on errors lists them. */
export const errorCodes: readonly ErrorCode[] = [
  byWords(
    'Duplicate payment reference',
    /duplicate (payment|transaction)?\s*reference|reference already (exists|used)/i,
    'ours',
    errors,
    DUPLICATE,
  ),
  byWords(
    'Refund already exists with reference',
    /refund already exists with reference|duplicate refund\s*reference/i,
    'ours',
    errors,
    DUPLICATE,
  ),
  byWords('Invalid authorization key', /invalid authorization key/i, 'ours', errors),
  byWords('Invalid request data', /invalid request data/i, 'ours', errors),
  byWords('Charge not found', /^charge not found/i, 'ours', errors, NOT_FOUND),
  byWords('Transaction not found', /^(transaction|payment) not found/i, 'ours', errors, NOT_FOUND),
  byWords('Refund not found', /^refund not found/i, 'ours', errors, NOT_FOUND),
  byWords('Transaction has not yet been settled', /not yet been settled/i, 'ours', errors),
  byWords('Refund can only be requested on a successful transaction', /only be requested on a successful/i, 'ours', errors),
  byWords('Refund not supported for this currency', /refund not supported for this currency/i, 'ours', errors),
  byWords('Refund amount cannot be more than', /refund amount cannot be more/i, 'ours', errors),
  byWords('Refund amount cannot be less than', /refund amount cannot be less/i, 'ours', errors),
  byWords('A full reversal has already been processed', /full reversal has already been processed/i, 'ours', errors),
  byWords('The maximum refundable amount', /maximum refundable amount/i, 'ours', errors),
  byWords('Insufficient funds in disbursement wallet', /insufficient funds in disbursement wallet/i, 'ours', errors),
  ofPayment('failed', 'The charge failed', 'declined', verify),
  ofPayment('expired', 'The charge expired', 'declined', verify, 'checkout_closed'),
];
