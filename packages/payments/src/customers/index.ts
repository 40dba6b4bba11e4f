export { blockersOf, type ErasureBlockers } from './blockers.ts';
export { type ErasedRows, eraseCustomerOfPayments, eraseGatewayWebhooks } from './erase-customer.ts';
export {
  type CustomerIdentifiers,
  type CustomerSubject,
  ERASED,
  ERASED_EMAIL,
  findCustomerPayments,
  identifiersOf,
} from './find-customer-payments.ts';
export { readCustomerPayments } from './read-customer-payments.ts';
