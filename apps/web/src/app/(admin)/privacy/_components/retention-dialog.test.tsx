// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, expectCalls, expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { ChangeDialog } from './retention-dialog.tsx';
import type { RetentionRow } from './retention-words.ts';

const page = openDashboard('?mode=live');
const onClose = vi.fn();
const ROW: RetentionRow = {
  kind: 'health_counts',
  of: 'merchant',
  days: 90,
  from: 'merchant',
  otherwiseDays: 180,
  defaultDays: 180,
  minDays: 30,
  maxDays: 400,
  stored: [],
  whyNotShorter: '',
  lastRunAt: null,
  removedLastRun: 0,
  removedInAll: 0,
};
const showDialog = () => page.show(<ChangeDialog merchantId="m-1" row={ROW} onClose={onClose} />);
beforeEach(() => onClose.mockReset());

test('a shorter time says what follows before it is saved', async () => {
  page.on('privacy.changeRetention', () => ({ kind: 'changed' }));
  const user = showDialog();
  expect(button('Keep for 90 days').disabled).toBe(true);
  await user.clear(field('Keep for'));
  await user.type(field('Keep for'), '45');
  screen.getByText(/What is older than 45 days is removed within the hour/);
  await user.click(button('Keep for 45 days'));
  await expectCalls(page, 'privacy.changeRetention', [{ merchantId: 'm-1', changes: { health_counts: 45 } }]);
  await waitFor(() => expect(page.toasts()).toEqual(['Health counts: kept for 45 days.']));
  expect(onClose).toHaveBeenCalledOnce();
});

test('the setting is removed', async () => {
  page.on('privacy.changeRetention', () => ({ kind: 'changed' }));
  const user = showDialog();
  await user.click(button('Back to 180 days'));
  await expectCalls(page, 'privacy.changeRetention', [{ merchantId: 'm-1', changes: { health_counts: null } }]);
});

test('no number is not sent; a refusal is beside the field, and a failed call at the form', async () => {
  page.on('privacy.changeRetention', () => ({
    kind: 'invalid',
    problems: [{ field: 'health_counts', message: 'must be at least 30 days' }],
  }));
  const user = showDialog();
  await user.clear(field('Keep for'));
  await user.click(button('Save'));
  await expectProblem('textbox', 'Keep for', 'Must be a whole number.');
  await user.type(field('Keep for'), '3{Enter}');
  await expectProblem('textbox', 'Keep for', 'Must be at least 30 days.');
  expect(page.calls('privacy.changeRetention')).toHaveLength(1);
  page.on('privacy.changeRetention', () => {
    throw new Error('The server did not answer.');
  });
  await user.click(button('Back to 180 days'));
  await expectRefusal('The server did not answer.');
});
