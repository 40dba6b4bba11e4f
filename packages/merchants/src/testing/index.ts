export { connectTestAccount, openTestContext, type TestContext, testAccount, testMerchant, testStaff } from './context.ts';
export { createTestMerchant, publish, reloadConfiguration, type TestMerchant } from './fixtures.ts';
