export { describeSetup, NO_MERCHANT_YET, type Setup, type SetupStep } from './describe-setup.ts';
export { dismissSetup } from './dismiss-setup.ts';
