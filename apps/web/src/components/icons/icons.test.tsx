// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openPage } from '#/testing/page.tsx';
import { IconAlertTriangleFilled, IconCheck } from './icons.tsx';

const { show } = openPage();

test('an icon is announced by its label, and not at all without one', () => {
  show(
    <>
      <IconCheck size={15} role="img" aria-label="Holds" />
      <IconAlertTriangleFilled role="img" />
    </>,
  );
  expect(screen.getAllByRole('img')).toEqual([screen.getByRole('img', { name: 'Holds' })]);
  expect(screen.getByRole('img').getAttribute('width')).toBe('15');
});
