export { addPaymentNote, listNotes } from '../../record/payment-notes.ts';
export { compareHours, countDirectPayments, countPayments } from './count-payments.ts';
export { describePayment, type PaymentDescription } from './describe-payment.ts';
export { listPayments, summariseToday } from './list-payments.ts';
export { listPaymentMessages } from './message-queries.ts';
export { type PaymentObject, readModeOf } from './payment-queries.ts';
