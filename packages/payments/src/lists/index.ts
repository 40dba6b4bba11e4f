export { type DuplicateChargeFilter, duplicateChargeList } from './duplicate-charge-filter.ts';
export { listPaymentAnswers, type PaymentAnswersQuery } from './list-payment-answers.ts';
export { ANY_PAYMENT, type PaymentFilter, paymentList } from './payment-filter.ts';
export { type RefundFilter, refundList } from './refund-filter.ts';
