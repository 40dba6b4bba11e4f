export { verify, verifyAttempt, verifyNow } from './verify.ts';
