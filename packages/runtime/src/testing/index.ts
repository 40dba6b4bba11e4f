export { openTestContext, type TestContext, testStaff } from './context.ts';
export { createTestMerchant, publish, reloadConfiguration, type TestMerchant } from './fixtures.ts';
