export { readEventBody } from '@switchyard/webhooks/events/packed';
export { packSession, StoredDocuments, unpackSession } from '../life-cycle/payment-documents.ts';
export { withGateways } from './changed-gateways.ts';
export { openTestPayments, type TestPayments } from './context.ts';
export { newPayment } from './new-payment.ts';
export { type RecordedPastPayment, recordPayment } from './past.ts';
