export { createTestDatabase, PATIENTLY, type TestDatabase } from './database.ts';
