// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, test } from 'vitest';
import { openPage } from '#/testing/page.tsx';
import { Badge, OutcomeGlyph, StatusBadge } from './badge.tsx';

const { show } = openPage();

test('the glyphs of the tones and of a warning differ, so that a status is seen without its colour', () => {
  show(
    <>
      {(['good', 'wait', 'bad', 'over'] as const).map((tone) => (
        <Badge key={tone} tone={tone}>
          {tone}
        </Badge>
      ))}
      <Badge tone="bad" warns>
        warning
      </Badge>
    </>,
  );
  const glyphs = ['good', 'wait', 'bad', 'over', 'warning'].map((word) => screen.getByText(word).querySelector('svg'));
  expect(new Set(glyphs.map((glyph) => glyph?.innerHTML)).size).toBe(5);
  expect(glyphs.every((glyph) => glyph?.getAttribute('aria-hidden') === 'true')).toBe(true);
});

const STATUSES: [string, string, ComponentProps<typeof StatusBadge>][] = [
  ['Succeeded', 'good', { status: 'SUCCESS' }],
  ['Partly refunded', 'over', { status: 'PARTLY_REFUNDED' }],
  ['Reversed', 'bad', { status: 'REVERSED' }],
  ['Refunded', 'over', { status: 'REFUNDED' }],
  ['Expired', 'over', { status: 'EXPIRED' }],
  ['Failed', 'bad', { status: 'FAILED' }],
  ['Pending', 'wait', { status: 'PENDING' }],
];

test.each(STATUSES)('a payment is %s', (word, tone, props) => {
  show(<StatusBadge {...props} />);
  const badge = screen.getByText(word);
  expect(badge.dataset.tone).toBe(tone);
  expect(badge.title).not.toBe('');
});

test.each([
  ['Holds', 'holds'],
  ['Holds, with a warning', 'attention'],
  ['Fails', 'fails'],
] as const)('an outcome is read out: %s', (name, outcome) => {
  show(<OutcomeGlyph outcome={outcome} />);
  screen.getByRole('img', { name });
});
