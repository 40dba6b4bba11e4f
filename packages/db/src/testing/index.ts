export { untilHintsGiven } from '../jobs.ts';
export { answersWithCommitBetweenReads, createTestDatabase, findLeaks, type InterruptedDatabases, type ReadAndChange, tables, TEST_CONNECTION, type TestDatabase } from './database.ts';
export { type DrawnRow, openRowDrawing, type RowDrawing } from './draw-rows.ts';
