// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formatTimestamp } from '#/format/moments.ts';
import { openPage } from '#/testing/page.tsx';
import { Moment } from './moment.tsx';
import { NowProvider } from './now.tsx';

const page = openPage();
const NOW = Date.parse('2026-11-21T13:00:00Z');

// The page's time stands still: on a slow machine it moves on from NOW to the real time while an element is shown.
beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

test.each([
  ['past', 60_000, 'just now'],
  ['past', -5 * 60_000, '5 min ago'],
  ['past', -50 * 3_600_000, '19 Nov, 12:00'],
  ['upcoming', 2 * 3_600_000 - 2_000, 'in 2 h'],
  ['upcoming', -3_000, 'now'],
  ['upcoming', -12 * 60_000, '12 min overdue'],
  ['either', 60 * 60_000, 'in 1 h'],
  ['either', -60 * 60_000, '1 h ago'],
] as const)('a moment of the kind %s %d ms from now reads %j, and has the exact time on hover', (tense, from, text) => {
  const value = new Date(NOW + from);
  page.show(
    <NowProvider initial={NOW}>
      <p>
        <Moment value={value} tense={tense} />
      </p>
    </NowProvider>,
  );
  const shown = screen.getByText(text);
  expect(shown.title).toBe(formatTimestamp(value));
  expect(shown.getAttribute('datetime')).toBe(value.toISOString());
});

test('words of its own have the exact time on hover as well', () => {
  const value = new Date(NOW + 90 * 60_000);
  page.show(
    <NowProvider initial={NOW}>
      <Moment value={value} describe={(at, nowMs) => `${(at.getTime() - nowMs) / 60_000} min left`} />
    </NowProvider>,
  );
  expect(screen.getByText('90 min left').title).toBe(formatTimestamp(value));
});
