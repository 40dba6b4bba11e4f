export { withQuery } from '../initiate/redirect-url.ts';
export { type CustomerReturn, findCheckoutResult, returnFromCheckout } from './return-from-checkout.ts';
export { verify } from './verify.ts';
export { verifyAttempt } from './verify-attempt.ts';
export { verifyNow } from './verify-now.ts';
