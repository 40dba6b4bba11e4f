export { readForm } from './form.ts';
export {
  readRefundList,
  readTotalsQuery,
  readTransactionList,
  writeCursorMeta,
  writeMeta,
  writeTransactionMeta,
} from './lists.ts';
export { FIELD_NAMES, readInitialize, readRefund } from './read.ts';
export { refuse } from './refuse.ts';
export { cancelActionOf, succeed, writeInitialized, writeRefund, writeTotals, writeTransaction } from './write.ts';
