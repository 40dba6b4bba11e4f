export {
  blockersOf,
  type ErasedRows,
  type ErasureBlockers,
  eraseCustomerOfPayments,
  eraseGatewayWebhooks,
} from './erase-customer.ts';
export {
  type CustomerIdentifiers,
  type CustomerSubject,
  ERASED,
  ERASED_EMAIL,
  findCustomerPayments,
  identifiersOf,
} from './find-customer-payments.ts';
export { readCustomerPayments } from './read-customer-payments.ts';
