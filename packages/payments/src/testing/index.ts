export { readEventBody } from '@switchyard/webhooks/events/packed';
export { openPayer, sealPayer } from '../record/attempt-queries.ts';
export { packSession, StoredDocuments, unpackSession } from '../record/payment-documents.ts';
export { newPayment, openTestPayments, type TestPayments, withGateways } from './context.ts';
export { type RecordedPastPayment, recordPayment } from './past.ts';
