import { reportUnrecognised } from '../published-states.ts';

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

type Listed = Exclude<ResponseState, 'unrecognised'>;

/**
 * Each code that Interswitch publishes, with its description and what it says of a payment. From "Payment Response Codes and
 * Transaction Status" (https://docs.interswitchgroup.com/docs/payment-response-codes); codes it has no longer are from the earlier
 * "Response Codes" (https://sandbox.interswitchng.com/docbase/docs/webpay-direct-paydirect-web/response-codes) and "Payment API –
 * Response Codes" (…/docbase/docs/interswitch-payment-gateway/api-payment/api-http-response-codes). "What is neither approved nor
 * pending has failed" (https://docs.interswitchgroup.com/docs/swol-response-codes) decides where a description does not.
 *
 * The first page gives 10, approved in part, as Successful: its answer does not say which part was debited, so it is never taken as
 * payment of the whole order. Of 16 and 08, the present list of approvals has neither; of a response that came too late (68) nobody
 * knows whether it was an approval.
 */
export const responseCodes: Readonly<Record<string, readonly [state: Listed, description: string]>> = {
  '00': ['approved', 'Approved by Financial Institution'],
  '01': ['declined', 'Refer to Financial Institution'],
  '02': ['declined', 'Refer to Financial Institution, Special Condition'],
  '03': ['declined', 'Invalid Merchant'],
  '04': ['declined', 'Pick-up card'],
  '05': ['declined', 'Do Not Honor'],
  '06': ['declined', 'Error'],
  '07': ['declined', 'Pick-Up Card, Special Condition'],
  '08': ['approved_in_part', 'Honor with Identification'],
  '09': ['pending', 'Request in Progress'],
  '10': ['approved_in_part', 'Approved by Financial Institution, Partial'],
  '11': ['approved', 'Approved by Financial Institution, VIP'],
  '12': ['declined', 'Invalid Transaction'],
  '13': ['declined', 'Invalid Amount'],
  '14': ['declined', 'Invalid Card Number'],
  '15': ['declined', 'No Such Financial Institution'],
  '16': ['approved_in_part', 'Approved by Financial Institution, Update Track 3'],
  '17': ['declined', 'Customer Cancellation'],
  '18': ['declined', 'Customer Dispute'],
  '19': ['declined', 'Re-enter Transaction'],
  '20': ['declined', 'Invalid Response from Financial Institution'],
  '21': ['declined', 'No Action Taken by Financial Institution'],
  '22': ['declined', 'Suspected Malfunction'],
  '23': ['declined', 'Unacceptable Transaction Fee'],
  '24': ['declined', 'File Update not Supported'],
  '25': ['declined', 'Unable to Locate Record'],
  '26': ['declined', 'Duplicate Record'],
  '27': ['declined', 'File Update Field Edit Error'],
  '28': ['declined', 'File Update File Locked'],
  '29': ['declined', 'File Update Failed'],
  '30': ['declined', 'Format Error'],
  '31': ['declined', 'Bank Not Supported'],
  '32': ['approved_in_part', 'Completed Partially by Financial Institution'],
  '33': ['declined', 'Expired Card, Pick-Up'],
  '34': ['declined', 'Suspected Fraud, Pick-Up'],
  '35': ['declined', 'Contact Acquirer, Pick-Up'],
  '36': ['declined', 'Restricted Card, Pick-Up'],
  '37': ['declined', 'Call Acquirer Security, Pick-Up'],
  '38': ['declined', 'PIN Tries Exceeded, Pick-Up'],
  '39': ['declined', 'No Credit Account'],
  '40': ['declined', 'Function not Supported'],
  '41': ['declined', 'Lost Card, Pick-Up'],
  '42': ['declined', 'No Universal Account'],
  '43': ['declined', 'Stolen Card, Pick-Up'],
  '44': ['declined', 'No Investment Account'],
  '45': ['declined', 'Account Closed'],
  '46': ['declined', 'Wrong login details on the payment page'],
  '48': ['declined', 'No customer record'],
  '51': ['declined', 'Insufficient Funds'],
  '52': ['declined', 'No Check Account'],
  '53': ['declined', 'No Savings Account'],
  '54': ['declined', 'Expired Card'],
  '55': ['declined', 'Incorrect PIN'],
  '56': ['declined', 'No Card Record'],
  '57': ['declined', 'Transaction not Permitted to Cardholder'],
  '58': ['declined', 'Transaction not Permitted on Terminal'],
  '59': ['declined', 'Suspected Fraud'],
  '60': ['declined', 'Contact Acquirer'],
  '61': ['declined', 'Exceeds Withdrawal Limit'],
  '62': ['declined', 'Restricted Card'],
  '63': ['declined', 'Security Violation'],
  '64': ['declined', 'Original Amount Incorrect'],
  '65': ['declined', 'Exceeds withdrawal frequency'],
  '66': ['declined', 'Call Acquirer Security'],
  '67': ['declined', 'Hard Capture'],
  '68': ['undecided', 'Response Received Too Late'],
  '75': ['declined', 'PIN tries exceeded'],
  '76': ['declined', 'Reserved for Future Postilion Use'],
  '77': ['declined', 'Intervene, Bank Approval Required'],
  '78': ['declined', 'Intervene, Bank Approval Required for Partial Amount'],
  '90': ['declined', 'Cut-off in Progress'],
  '91': ['declined', 'Issuer or Switch Inoperative'],
  '92': ['declined', 'Routing Error'],
  '93': ['declined', 'Violation of law'],
  '94': ['declined', 'Duplicate Transaction'],
  '95': ['declined', 'Reconcile Error'],
  '96': ['declined', 'System Malfunction'],
  '98': ['declined', 'Exceeds Cash Limit'],
  '99': ['declined', 'Unexpected error'],
  '10400': ['undecided', 'A response that is returned for different reasons'],
  '10403': ['undecided', 'A response that is returned for different reasons'],
  '10500': ['undecided', 'A response that is returned for different reasons'],
  '20031': ['wrong_merchant', 'Invalid value for Product id or Merchant Code'],
  A0: ['declined', 'Transaction not Permitted to Card Holder, via channels'],
  A3: ['declined', 'Database Error'],
  A4: ['declined', 'Transaction not permitted to card holder, via channels'],
  A8: ['declined', 'Insufficient Funds'],
  A9: ['declined', 'Incorrect Phone Number'],
  E18: ['undecided', 'The service provider is unreachable at the moment'],
  E19: ['undecided', 'An invalid response was received from remote host'],
  E20: ['undecided', 'Request has timed out'],
  E21: ['undecided', 'An unknown error has occurred'],
  E42: ['declined', 'Interswitch processing error'],
  E53: ['declined', 'Interswitch processing error'],
  E60: ['declined', 'Interswitch processing error'],
  M0: ['declined', 'Cardholder not enrolled for OTP'],
  S0: ['pending', 'A Visa 3DSecure is required before transaction is approved'],
  S1: ['undecided', 'Invalid response from Postilion Service'],
  T0: ['pending', 'An OTP is required before transaction is approved'],
  T1: ['declined', 'No Response received for 3DS auth'],
  T2: ['pending', 'Token Authentication Pending'],
  X00: ['declined', 'Account error, please contact your bank'],
  X03: ['declined', 'Exceeds Maximum Amount Allowed'],
  X04: ['declined', 'Minimum Amount for Payment Item Not Met'],
  X05: ['declined', 'The Amount Requested is above the Limit permitted by your Bank'],
  X10: ['declined', '3D Secure Authenticate failed'],
  XG0: ['declined', 'Cannot Retrieve Collections Account'],
  XGO: ['declined', 'Cannot Retrieve Collections Account'],
  XG1: ['pending', 'Successfully Retrieved Collections Account'],
  XG2: ['declined', 'Could not retrieve collections account from key store'],
  XM1: ['declined', 'Suspected Fraudulent Transaction'],
  XNA: ['declined', 'No acquirer found for multi acquired payable'],
  XS1: ['declined', 'Exceeded time period to complete transaction'],
  Z0: ['pending', 'Transaction Not Completed'],
  Z1: ['error', 'Transaction Error'],
  Z2: ['declined', 'Bank Account Error'],
  Z3: ['declined', 'Bank Collections Account Error'],
  Z4: ['declined', 'Interface Integration Error'],
  Z5: ['undecided', 'Duplicate Reference Error'],
  Z6: ['declined', 'Customer Cancellation'],
  Z7: ['declined', 'Transaction Split Pre-Processing Error'],
  Z8: ['declined', 'Invalid Card Number, via Channels'],
  Z9: ['declined', 'Transaction not permitted to card holder, via channels'],
  Z15: ['declined', 'Cannot Connect to Payphone Service'],
  Z16: ['declined', 'Cannot Connect to Loyalty Service'],
  Z25: ['not_found', 'Transaction not Found'],
  Z61: ['pending', 'Payment Requires Token'],
  Z62: ['pending', 'Request to Generate Token is Successful'],
  Z63: ['declined', 'Token Not Generated. Customer Not Registered on Token Platform'],
  Z64: ['declined', 'Error Occurred. Could Not Generate Token'],
  Z65: ['pending', 'Payment Requires Token Authorization'],
  Z66: ['pending', 'Token Authorization Successful'],
  Z67: ['declined', 'Token Authorization Not Successful. Incorrect Token Supplied'],
  Z68: ['declined', 'Error Occurred. Could Not Authenticate Token'],
  Z69: ['declined', 'Customer Cancellation Secure3D'],
  Z70: ['pending', 'Cardinal Authentication Required'],
  Z71: ['pending', 'Cardinal Lookup Successful'],
  Z72: ['declined', 'Cardinal Lookup Failed'],
  Z73: ['pending', 'Cardinal Authenticate Successful'],
  Z74: ['declined', 'Cardinal Authenticate Failed'],
  Z76: ['pending', 'Wibmo Lookup Successful'],
  Z77: ['declined', 'Wibmo Lookup Failed'],
  Z80: ['declined', 'Error calling Cybersource Service'],
  Z81: ['declined', 'Bin has not been configured'],
  Z82: ['declined', 'Merchant not configured for BIN'],
  Z162: ['declined', 'Recurrent transaction rate limit exceeded'],
};

/** Issuers have two-digit codes of their own, which the list gives without numbers: "Declined by Bank for custom reasons". */
const issuerCode = /^\d\d$/;

/** Reads a response code; one that is missing is a payment under way ("09, No Response Code: Pending"). */
export function responseStateOf(given: string | null | undefined): ResponseState {
  if (given === null || given === undefined || given === '') return 'pending';
  if (Object.hasOwn(responseCodes, given)) return responseCodes[given]?.[0] ?? 'unrecognised';
  if (issuerCode.test(given)) return 'declined';
  reportUnrecognised({ gateway: 'interswitch', kind: 'transaction' });
  return 'unrecognised';
}
