export { packSession } from '../../record/payment-documents.ts';
export { attemptReference, plannedFallbacks } from '../../record/plan.ts';
export { describeSession } from '../../record/session.ts';
export { findPaymentIdByOrder, reservePayment } from '../../record/statements.ts';
export { initiate } from './initiate.ts';
export { type Initiation, observeInitiations } from './observe-initiate.ts';
export { takeOverInitiation } from './resume-initiation.ts';
