export { DIALECTS, type Dialect, type DialectAnswer } from './dialect.ts';
export { readNumber } from './numbers/make-number.ts';
export { findNumbered, numberOf } from './numbers/queries.ts';
export { type Fields, isFields, type TranslatedOrder } from './order.ts';
export { type Problem, type Read, read, refused } from './problem.ts';
export { returnAddress } from './return-address.ts';
export { countRefunds, listRefunds, type RefundListFilter } from './transactions/list-refunds.ts';
export { countTransactions, type ListScope, listTransactions, readTotals } from './transactions/list-transactions.ts';
export { findByReference, numberRefund, readTransaction, type Transaction } from './transactions/transaction.ts';
