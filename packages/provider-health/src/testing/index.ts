export { openTestHealth, type TestHealth } from './context.ts';
export { createHealthScene, type HealthScene, timedOut, well } from './health-scene.ts';
