export { readRefundList, readTransactionList, writeMeta } from './lists.ts';
export { FIELD_NAMES, readPayment, readRefund } from './read.ts';
export { refuse } from './refuse.ts';
export { succeed, writeListedRefund, writeListedTransaction, writeRefund, writeTransaction } from './write.ts';
