export { ERASED, ERASED_EMAIL } from '../../record/order.ts';
export { sealedPayers } from '../../record/payers.ts';
export { phoneSpellings } from '../../record/phone.ts';
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
  findCustomerPayments,
  identifiersOf,
} from './find-customer-payments.ts';
export { readCustomerPayments } from './read-customer-payments.ts';
