export { initiate } from './initiate.ts';
export { reservePayment } from './statements.ts';
export { takeOverInitiation } from './take-over-initiation.ts';
