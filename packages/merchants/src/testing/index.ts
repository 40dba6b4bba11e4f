export { type TestContext, connectTestAccount, openTestContext, testAccount, testMerchant, testStaff } from './context.ts';
