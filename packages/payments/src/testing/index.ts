export { type TestMerchant, type TestPayments, openTestPayments, publish, showChange, takeInMerchant } from './context.ts';
export { type PastPaymentMade, recordPayment } from './past.ts';
