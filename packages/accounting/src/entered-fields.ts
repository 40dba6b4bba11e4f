/** Accounts as people enter them, and the names of what is entered: forms check them in the browser by the same schemas. */
export { accountCode, accountName, taxRate, trackingCategory, trackingClass } from './journal/mapping.ts';
export {
  BOOK_ACCOUNTS,
  type BookAccountName,
  POSTING_NAMES,
  SOFTWARE,
  SOFTWARE_NAMES,
  type Software,
} from './journal/postings.ts';
