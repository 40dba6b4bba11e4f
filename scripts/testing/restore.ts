import { afterAll, vi } from 'vitest';

// Suites follow each other in one process: what one of them has replaced does not outlive it.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
