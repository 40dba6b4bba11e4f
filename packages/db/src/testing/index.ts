export { untilHintsGiven } from '../jobs.ts';
export {
  answersWithCommitBetweenReads,
  type InterruptedDatabases,
  type ReadAndChange,
} from './commit-between-reads.ts';
export { createTestDatabase, TEST_CONNECTION, type TestDatabase } from './database.ts';
export { findLeaks, tables } from './leaks.ts';
