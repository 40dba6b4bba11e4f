export { verify, verifyAttempt } from './verify.ts';
export { verifyNow } from './verify-now.ts';
