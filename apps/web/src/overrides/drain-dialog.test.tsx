// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, expectProblem, expectRefusal, field, openDashboard } from '../testing/dashboard.tsx';
import { DrainDialog } from './drain-dialog.tsx';

const page = openDashboard('?mode=live&merchant=m-1');
const ACCOUNT = { merchantId: 'm-1', merchantName: 'Yaba Gadget Hub', accountId: 'a-1', label: 'paystack-main' };
const onClose = vi.fn();

beforeEach(() => {
  onClose.mockReset();
  page.on('gateways.usage', () => ({ payments: 12, onlyFor: [] }));
});
const showDialog = () => page.show(<DrainDialog account={ACCOUNT} reason="Gateway outage" onClose={onClose} />);

test('the account is drained with the proposed reason, or another one', async () => {
  page.on('health.setOverride', () => ({ kind: 'set', override: { id: 'o-1' } }));
  const user = showDialog();
  expect(field('Reason').value).toBe('Gateway outage');
  await user.clear(field('Reason'));
  await user.type(field('Reason'), ' Maintenance {Enter}');
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(page.calls('health.setOverride')).toMatchObject([
    { merchantId: 'm-1', accountId: 'a-1', method: null, action: 'drain', reason: 'Maintenance' },
  ]);
});

test('nothing is drained without a reason; one that the server refuses is said beside it', async () => {
  const problems = [{ field: 'reason', message: 'must not hold control characters' }];
  page.on('health.setOverride', () => ({ kind: 'invalid', problems }));
  const user = showDialog();
  await user.clear(field('Reason'));
  await user.click(button('Drain paystack-main'));
  await expectProblem('textbox', 'Reason', 'Must not be empty.');
  expect(page.calls('health.setOverride')).toEqual([]);
  await user.type(field('Reason'), 'Outage{Enter}');
  await expectProblem('textbox', 'Reason', 'Must not hold control characters.');
  expect(onClose).not.toHaveBeenCalled();
});

test('a failed call is said, and a reason of one’s own is not lost without a question', async () => {
  page.on('health.setOverride', () => {
    throw new Error('The server did not answer.');
  });
  const user = showDialog();
  await user.type(field('Reason'), ', since 14:00{Enter}');
  await expectRefusal('The server did not answer.');
  await user.click(button('Close'));
  screen.getByText('What you entered is not saved.');
});
