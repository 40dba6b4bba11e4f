export { connectTestAccount, testAccount, testMerchant } from './accounts.ts';
