export { compareHours } from './compare-hours.ts';
export { countDirectPayments } from './count-direct-payments.ts';
export { countPayments } from './count-payments.ts';
export { describePayment, type PaymentDescription } from './describe-payment.ts';
export { listPaymentMessages } from './list-messages.ts';
export { listPayments, summariseToday } from './list-payments.ts';
export { addPaymentNote, listNotes } from './payment-notes.ts';
