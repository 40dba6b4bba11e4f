export { withQuery } from '../initiate/redirect-url.ts';
export { type CustomerReturn, findCheckoutResult, returnFromCheckout } from './return-from-checkout.ts';
