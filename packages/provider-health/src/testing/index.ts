export { type TestHealth, openTestHealth } from './context.ts';
export { type HealthScene, createHealthScene, timedOut, well } from './health-scene.ts';
