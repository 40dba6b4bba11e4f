export { openTestHealth, type TestHealth } from './context.ts';
export { createHealthFixture, type HealthFixture, timedOut, well } from './health-fixture.ts';
