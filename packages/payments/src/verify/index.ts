export { verify } from './verify.ts';
export { verifyAttempt } from './verify-attempt.ts';
export { verifyNow } from './verify-now.ts';
