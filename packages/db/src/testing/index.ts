export { createTestDatabase, SUITE_CONNECTING, type TestDatabase } from './database.ts';
export { findLeaks, tables } from './leaks.ts';
