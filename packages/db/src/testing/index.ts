export { untilHintsGiven } from '../jobs.ts';
export {
  answersWithCommitBetweenReads,
  type InterruptedDatabases,
  type ReadAndChange,
} from './commit-between-reads.ts';
export { createTestDatabase, findLeaks, TEST_CONNECTION, type TestDatabase, tables } from './database.ts';
export { type DrawnRow, openRowDrawing, type RowDrawing } from './draw-rows.ts';
export { statementsDuring } from './statements-during.ts';
