import { derivedNumber, type NumberedRefund, type Transaction } from '../transactions/transaction.ts';
import { refundStatusOf, writeCharge, writeCustomer } from './write.ts';

/** `charge.completed`, of a payment that succeeded or failed. */
export function writeChargeEvent(transaction: Transaction) {
  const charge = writeCharge(transaction);
  return {
    event: 'charge.completed',
    data: { ...charge, customer: writeCustomer(transaction) },
    'event.type': `${(charge.payment_type ?? 'card').toUpperCase()}_TRANSACTION`,
  };
}

/** A refund: Flutterwave sends it without the envelope of other events. */
export function writeRefundEvent(refund: NumberedRefund, transaction: Transaction) {
  return {
    id: refund.number,
    AmountRefunded: Number(refund.amount),
    status: refundStatusOf(refund),
    FlwRef: transaction.gatewayReference ?? '',
    destination: 'payment_source',
    comments: refund.reason,
    settlement_id: 'NEW',
    meta: JSON.stringify({ source: 'availablebalance' }),
    createdAt: refund.createdAt.toISOString(),
    updatedAt: refund.updatedAt.toISOString(),
    walletId: derivedNumber(transaction.merchantId),
    AccountId: derivedNumber(transaction.merchantId),
    TransactionId: transaction.number,
  };
}

/** Tests an endpoint, as Flutterwave's dashboard does. */
export function writeTest(eventId: string) {
  return { event: 'test_assess', data: { id: eventId } };
}
