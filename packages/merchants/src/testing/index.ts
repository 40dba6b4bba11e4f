export { type TestContext, connectTestAccount, openTestContext, testAccount, testMerchant, testStaff } from './context.ts';
export { type TestMerchant, publish, showChange, takeInMerchant } from './fixtures.ts';
