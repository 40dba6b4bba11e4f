export { readEventBody } from '@switchyard/webhooks/events/packed';
export { openPayer, sealPayer } from '../record/payers.ts';
export { packSession, StoredDocuments, unpackSession } from '../record/payment-documents.ts';
export { newPayment, openTestPayments, type TestPayments, withGateways } from './context.ts';
export { type RecordedPastPayment, recordPayment } from './past.ts';
