// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, expectProblem, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import type { AccountOverview } from '../use-health.ts';
import { OverrideDialog } from './override-dialog.tsx';

const page = openDashboard('?mode=live&merchant=m-1');
const ACCOUNT: AccountOverview = Object({
  merchantId: 'm-1',
  merchantName: 'Yaba Gadget Hub',
  accountId: 'a-1',
  label: 'kora-main',
  health: [{ method: null }, { method: 'CARD' }, { method: 'QR' }],
  overrides: [{ method: 'QR', action: 'disable' }],
  planned: [],
});
const onClose = vi.fn();

beforeEach(() => {
  onClose.mockReset();
  page.on('gateways.usage', () => ({ payments: 12, onlyFor: [] }));
});
const showDialog = () => page.show(<OverrideDialog account={ACCOUNT} method="QR" onClose={onClose} />);
const part = (name: string) => within(screen.getByRole('group', { name: 'Start' })).getByRole('textbox', { name });

test('an override is set at once, with its action, method, reason and end', async () => {
  page.on('health.setOverride', () => ({ kind: 'set', override: { id: 'o-1' } }));
  const user = showDialog();
  screen.getByText(/Replaces the current override/);
  await user.click(radio('Force first'));
  await user.type(field('Reason'), ' Cheaper today ');
  const before = Date.now();
  await user.click(button('Force first kora-main, QR'));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  const [sent] = page.calls('health.setOverride');
  expect(sent).toEqual({
    merchantId: 'm-1',
    accountId: 'a-1',
    method: 'QR',
    action: 'force',
    reason: 'Cheaper today',
    startsAt: null,
    expiresAt: expect.any(Date),
  });
  expect((Reflect.get(Object(sent), 'expiresAt').getTime() - before) / 3_600_000).toBeCloseTo(2, 1);
});

test('one that is planned has its start by the viewer’s clock, and what is wrong with it beside it', async () => {
  page.on('health.setOverride', () => ({ kind: 'invalid', problems: [{ field: 'startsAt', message: 'must not overlap' }] }));
  const user = showDialog();
  await user.click(radio('Schedule'));
  await user.type(field('Reason'), 'Maintenance');
  await user.click(button('Plan drain: kora-main, QR'));
  await expectProblem('group', 'Start', 'Must be a date and a time.');
  expect(page.calls('health.setOverride')).toEqual([]);
  await user.type(part('Date'), '1 Jan 2099');
  await user.clear(part('Time'));
  await user.type(part('Time'), '02:00');
  await user.click(button('Plan drain: kora-main, QR'));
  await expectProblem('group', 'Start', 'Must not overlap.');
  expect(page.calls('health.setOverride')).toMatchObject([{ startsAt: new Date('2099-01-01T01:00:00Z') }]);
});

test('nothing is set without a reason; a failed call is said, and what was entered is not lost without a question', async () => {
  page.on('health.setOverride', () => {
    throw new Error('The server did not answer.');
  });
  const user = showDialog();
  await user.click(button('Drain kora-main, QR'));
  await expectProblem('textbox', 'Reason', 'Must not be empty.');
  expect(page.calls('health.setOverride')).toEqual([]);
  await user.type(field('Reason'), 'Outage{Enter}');
  await expectRefusal('The server did not answer.');
  await user.click(button('Close'));
  screen.getByText('What you entered is not saved.');
  expect(onClose).not.toHaveBeenCalled();
});
