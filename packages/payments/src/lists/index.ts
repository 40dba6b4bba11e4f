export { type DuplicateChargeFilter, duplicateChargeConditions } from './duplicate-charge-filter.ts';
export { ANY_PAYMENT, type PaymentFilter, paymentConditions } from './payment-filter.ts';
export { type RefundFilter, refundConditions } from './refund-filter.ts';
