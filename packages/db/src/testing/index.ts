export { untilHintsGiven } from '../jobs.ts';
export { createTestDatabase, TEST_CONNECTION, type TestDatabase } from './database.ts';
export { findLeaks, tables } from './leaks.ts';
