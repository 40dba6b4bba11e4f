export { createTestDatabase, SUITE_CONNECTING, type TestDatabase } from './database.ts';
