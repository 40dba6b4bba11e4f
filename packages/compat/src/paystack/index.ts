export { readForm } from './form.ts';
export { FIELD_NAMES, readInitialize, readRefund } from './read.ts';
export { refuse } from './refuse.ts';
export { cancelActionOf, succeed, writeInitialized, writeRefund, writeTransaction } from './write.ts';
