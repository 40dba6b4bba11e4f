export { packSession } from '../life-cycle/payment-documents.ts';
export { initiate } from './initiate.ts';
export { type Initiation, observeInitiations } from './observe-initiate.ts';
export { attemptReference, plannedFallbacks } from './plan.ts';
export { describeSession } from './session.ts';
export { findPaymentIdByOrder, reservePayment } from './statements.ts';
export { takeOverInitiation } from './take-over-initiation.ts';
