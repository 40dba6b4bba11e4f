import { chai } from 'vitest';

// The proxies only report misspelt assertions, which the compiler does, and take half the time of an assertion.
chai.config.useProxy = false;
