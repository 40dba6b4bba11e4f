import { afterAll, chai, vi } from 'vitest';

// The proxies only report misspelt assertions, which the compiler does, and take half the time of an assertion.
chai.config.useProxy = false;

// Suites follow each other in one process: what one of them has replaced does not outlive it.
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
