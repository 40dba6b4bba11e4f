import { expect, test } from 'vitest';
import { parseProcessStat, readProcessStat } from './processes.ts';

test('fields are counted from behind the name, whatever it holds', () => {
  const stat = '4242 (postgres: a (b) c) S 17 4242 4242 0 -1 4194560 100 200 0 0 31 12 7 5 20 0 1 0 99 300000000 2500 1844';
  expect(parseProcessStat(stat)).toEqual({
    parent: 17,
    ownUs: 430_000,
    endedChildrenUs: 120_000,
    residentBytes: 10_240_000,
  });
});

test('a process that does not exist has no figures', () => {
  expect(readProcessStat(2 ** 30)).toBeNull();
});

test.runIf(process.platform === 'linux')('this process has its parent and as much memory as it says', () => {
  const stat = readProcessStat(process.pid);
  expect(stat?.parent).toBe(process.ppid);
  expect((stat?.residentBytes ?? 0) / process.memoryUsage.rss()).toBeCloseTo(1, 0);
});
