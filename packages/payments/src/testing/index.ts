export { withGateways } from './changed-gateways.ts';
export { openTestPayments, type TestPayments } from './context.ts';
export { type RecordedPastPayment, recordPayment } from './past.ts';
