export { FIELD_NAMES, readPayment, readRefund } from './read.ts';
export { refuse } from './refuse.ts';
export { succeed, writeRefund, writeTransaction } from './write.ts';
