// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openPage } from '#/testing/page.tsx';
import { OverTime } from './over-time.tsx';
import type { StateSpan, StepFigures } from './strip-figures.ts';

const { show } = openPage();
const MINUTE_MS = 60_000;
/** 14:00 in Lagos. */
const FROM = new Date('2026-11-21T13:00:00Z');
const at = (minute: number) => new Date(FROM.getTime() + minute * MINUTE_MS);
const step = (minute: number, succeeded: number, faulted: number): StepFigures => ({
  at: at(minute),
  succeeded,
  faulted,
  latencyMs: succeeded === 0 ? null : 200 + minute,
});
const HEALTHY: readonly StateSpan[] = [{ state: 'healthy', from: FROM, to: null }];
const chart = (name: RegExp) => screen.getByRole('img', { name });
/** Pieces of the lines of a chart, its grid aside. */
const pieces = (name: RegExp) =>
  [...chart(name).querySelectorAll('path')]
    .slice(1)
    .reduce((sum, path) => sum + (path.getAttribute('d') ?? '').split('M').length - 1, 0);

test('the lowest share is said with the time that it is of', () => {
  const steps = [step(0, 30, 0), step(1, 10, 2), step(2, 8, 2), step(3, 30, 0), step(4, 30, 0)];
  show(<OverTime steps={steps} spans={HEALTHY} stepMs={MINUTE_MS} />);
  chart(/^Success rate: lowest 81\.8% in the 2 min to 14:03$/);
  chart(/^Latency, mean: highest 204 ms in the 1 min to 14:05$/);
});

test('the lines are broken where the account was down, which is marked and said', () => {
  const steps = [step(0, 30, 0), step(1, 2, 28), step(2, 3, 27), step(3, 30, 0), step(4, 30, 0), step(5, 30, 0)];
  const down: StateSpan = { state: 'down', from: at(1), to: at(3) };
  show(<OverTime steps={steps} spans={[...HEALTHY, down]} stepMs={MINUTE_MS} />);
  for (const name of [
    /^Success rate: down for 2 min, else lowest 100% in the 1 min to 14:01$/,
    /^Latency, mean: down for 2 min, else highest /,
  ]) {
    const [mark, ...others] = chart(name).querySelectorAll('rect');
    expect([mark?.getAttribute('x'), mark?.getAttribute('width'), others]).toEqual(['1', '2', []]);
    // Before the outage, after it, and the step that is not over.
    expect(pieces(name)).toBe(3);
  }
});

test('too little is no share', () => {
  show(<OverTime steps={[step(0, 3, 1), step(1, 0, 0)]} spans={HEALTHY} stepMs={MINUTE_MS} />);
  chart(/^Success rate: too few checkouts$/);
});
