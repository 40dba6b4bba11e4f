export { type TestDatabase, createTestDatabase } from './database.ts';
