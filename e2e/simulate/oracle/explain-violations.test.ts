import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { INVARIANTS } from '../../world/checker/invariants.ts';
import type { SourceEdit } from '../kernel/code.ts';
import { runInLanes } from '../lanes.ts';
import type { ExplainTask } from '../testing/explain-lane.ts';

const LIMIT_MS = 400_000;
const PAYMENTS = 6;

/** The code that decides and the code that computes decisions again are the same function: a check by the changed code would find nothing. */
const COUNTED_FROM_ONE: SourceEdit = {
  file: 'packages/routing/src/decide/decide.ts',
  search: 'index: candidates.length,',
  replace: 'index: candidates.length + 1,',
};

test('a bug in the code that decides is found by unchanged code, and explained in forty lines by the history of one payment', {
  timeout: LIMIT_MS,
}, async () => {
  const tasks: ExplainTask[] = [{ edit: COUNTED_FROM_ONE, seeds: 5, payments: PAYMENTS }];
  const reports: (readonly string[])[] = [];
  await runInLanes<ExplainTask, readonly string[]>({
    program: new URL('../testing/explain-lane.ts', import.meta.url),
    lanes: 1,
    next: () => tasks.shift() ?? null,
    take: (report) => reports.push(report) > 0,
  });
  const [report = []] = reports;
  const text = report.join('\n');
  expect(report.length).toBeLessThanOrEqual(40);
  expect(report[0]).toMatch(/^seed \d+ breaks \d+ guarantees: /);
  expect(report[1]).toBe(INVARIANTS.decision_differs);
  expect(report[2]).toContain('decision_differs: ');
  expect(report[3]).toContain('of 1 payments');
  for (const part of [
    'merchant: initiate',
    'POST /',
    'customer pays',
    'webhook',
    'payment is SUCCESS',
    'event payment.succeeded',
  ]) {
    expect(text).toContain(part);
  }
  const times = report.flatMap((line) => {
    const [, day = '0', time] = /^ {2}(?:day (\d+) )?(\d\d:\d\d:\d\d\.\d{3})/.exec(line) ?? [];
    return time === undefined ? [] : [`${day.padStart(3, '0')} ${time}`];
  });
  expect(times.length).toBeGreaterThan(5);
  expect(times).toEqual(times.toSorted());
  expect(report.at(-1)).toMatch(new RegExp(`^again: npm run simulate -- --seed \\d+ --payments ${PAYMENTS} --each ${PAYMENTS} `));
  const [, kept = ''] = /everything that happened: (\S+)/.exec(text) ?? [];
  rmSync(kept);
});
