export { blockersOf, type ErasureBlockers } from './blockers.ts';
export { ERASED, ERASED_EMAIL, type ErasedRows, eraseCustomerOfPayments, eraseGatewayWebhooks } from './erase-customer.ts';
export { type CustomerIdentifiers, type CustomerSubject, findCustomerPayments, identifiersOf } from './find-customer-payments.ts';
export { readCustomerPayments } from './read-customer-payments.ts';
