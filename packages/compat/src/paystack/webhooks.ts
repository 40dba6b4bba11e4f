import { nairaToKobo } from '../amounts.ts';
import { derivedNumber, type NumberedRefund, type Transaction } from '../transactions/transaction.ts';
import { refundStatusOf, writeTransaction } from './write.ts';

/** `charge.success`. */
export function writeChargeSuccess(transaction: Transaction) {
  return { event: 'charge.success', data: writeTransaction(transaction) };
}

/** `refund.processed` or `refund.failed`. */
export function writeRefundEvent(refund: NumberedRefund, transaction: Transaction) {
  const status = refundStatusOf(refund);
  const { customerName } = transaction;
  return {
    event: `refund.${status}`,
    data: {
      id: refund.number,
      status,
      transaction_reference: transaction.reference,
      refund_reference: String(refund.number),
      amount: nairaToKobo(refund.amount),
      currency: refund.currency,
      processor: null,
      customer: { first_name: customerName.first, last_name: customerName.last, email: transaction.email },
      integration: derivedNumber(transaction.merchantId),
      domain: transaction.mode,
    },
  };
}

/** Tests an endpoint. Paystack has no such event, so that code which acts on a payment does nothing. */
export function writeTest(eventId: string) {
  return { event: 'switchyard.test', data: { id: eventId } };
}
