import { rowOf } from '../error-code.ts';
import { reportUnrecognised } from '../published-states.ts';
import { errorCodes } from './error-codes.ts';
import { settings } from './settings.ts';

/** State of a payment by its response code. */
export type ResponseState =
  /** Paid: the document gives its status as Successful. */
  | 'approved'
  /** Money may have moved, and not as the order says: a part, or an approval that only the issuer can explain. */
  | 'approved_in_part'
  /** Not paid, and nothing was debited. Until the bill is closed the customer may try again. */
  | 'declined'
  /** A step on the way to paying, or none taken yet. */
  | 'pending'
  /** The general error: refused, or the look-up named another amount than the transaction has; the description says which. */
  | 'error'
  /** No transaction under the reference: there is none before the customer begins. */
  | 'not_found'
  /** The look-up names a merchant code or a pay item that is not known. */
  | 'wrong_merchant'
  /** Documented, and leaves open what became of the money. */
  | 'undecided'
  /** Not documented. */
  | 'unrecognised';

type Step = Extract<ResponseState, 'approved' | 'approved_in_part' | 'pending'>;

/**
 * Each code that Interswitch publishes for an approval or a step on the way to paying, with its description, from "Payment Response Codes and
 * Transaction Status" (https://docs.interswitchgroup.com/docs/payment-response-codes). All others are in the table of error codes.
 *
 * The page gives 10, approved in part, as Successful: its answer does not say which part was debited, so it is never taken as payment of the
 * whole order. Of 16 and 08, the present list of approvals has neither; of a response that came too late (68) it is not known whether it was an
 * approval.
 */
export const steps: Readonly<Record<string, readonly [state: Step, description: string]>> = {
  '00': ['approved', 'Approved by Financial Institution'],
  '08': ['approved_in_part', 'Honor with Identification'],
  '09': ['pending', 'Request in Progress'],
  '10': ['approved_in_part', 'Approved by Financial Institution, Partial'],
  '11': ['approved', 'Approved by Financial Institution, VIP'],
  '16': ['approved_in_part', 'Approved by Financial Institution, Update Track 3'],
  '32': ['approved_in_part', 'Completed Partially by Financial Institution'],
  S0: ['pending', 'A Visa 3DSecure is required before transaction is approved'],
  T0: ['pending', 'An OTP is required before transaction is approved'],
  T2: ['pending', 'Token Authentication Pending'],
  XG1: ['pending', 'Successfully Retrieved Collections Account'],
  Z0: ['pending', 'Transaction Not Completed'],
  Z61: ['pending', 'Payment Requires Token'],
  Z62: ['pending', 'Request to Generate Token is Successful'],
  Z65: ['pending', 'Payment Requires Token Authorization'],
  Z66: ['pending', 'Token Authorization Successful'],
  Z70: ['pending', 'Cardinal Authentication Required'],
  Z71: ['pending', 'Cardinal Lookup Successful'],
  Z73: ['pending', 'Cardinal Authenticate Successful'],
  Z76: ['pending', 'Wibmo Lookup Successful'],
};

/** Reads a response code; one that is missing is a payment under way ("09, No Response Code: Pending"). */
export function responseStateOf(given: string | null | undefined): ResponseState {
  if (given === null || given === undefined || given === '') return 'pending';
  if (Object.hasOwn(steps, given)) return steps[given]?.[0] ?? 'unrecognised';
  const row = rowOf(errorCodes, { code: given });
  if (row === null) {
    reportUnrecognised({ gateway: 'interswitch', kind: 'transaction' });
    return 'unrecognised';
  }
  if (given === settings.generalCode) return 'error';
  switch (row.failure) {
    case 'declined':
    case 'checkout_closed':
      return 'declined';
    case 'not_found':
      return 'not_found';
    case 'invalid_credentials':
      return 'wrong_merchant';
    case 'undecided':
    case 'request_rejected':
    case 'duplicate_reference':
    case 'http_5xx':
      return 'undecided';
    default:
      return row.failure satisfies never;
  }
}
