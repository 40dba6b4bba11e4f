export { connectTestAccount, openTestContext, type TestContext, testAccount, testMerchant, testStaff } from './context.ts';
export { publish, showChange, type TestMerchant, takeInMerchant } from './fixtures.ts';
