// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { SettlementAccount } from '#/copy/settlements.ts';
import { button, expectCalls, expectProblem, field, openDashboard } from '#/testing/dashboard.tsx';
import { CalendarDialog } from './account-dialogs.tsx';

const page = openDashboard('?mode=live');

const ACCOUNT: SettlementAccount = {
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  accountId: 'acc-1',
  accountLabel: 'paystack-main',
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  road: 'POLLED',
  heardAt: null,
  failure: null,
  nextPollAt: null,
  calendar: {
    workingDays: 1,
    holidays: ['2026-10-01'],
    graceDays: 2,
    tolerance: '0',
    toleranceMinutes: 10,
    isDefault: false,
    publishedSource: null,
  },
};

beforeEach(() => {
  page.server().on('settlements.setCalendar', () => ({ changed: true }));
});

async function open() {
  const onClose = vi.fn();
  return { user: page.show(<CalendarDialog account={ACCOUNT} onClose={onClose} />), onClose };
}

test('what was entered is sent as numbers and days, each day once and in order', async () => {
  const { user, onClose } = await open();
  await user.clear(field('Paid out after'));
  await user.type(field('Paid out after'), '3');
  await user.type(field('Holidays'), '\n2026-12-26, 2026-12-25\n2026-12-25');
  await user.click(button('Save calendar'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  await expectCalls(page, 'settlements.setCalendar', [
    {
      merchantId: 'm-1',
      accountId: 'acc-1',
      calendar: {
        workingDays: 3,
        holidays: ['2026-10-01', '2026-12-25', '2026-12-26'],
        graceDays: 2,
        tolerance: '0',
        toleranceMinutes: 10,
      },
    },
  ]);
});

test('a holiday that is no day of the calendar is refused beside its field, and nothing is sent', async () => {
  const { user } = await open();
  await user.type(field('Holidays'), '\n2026-02-30');
  await user.click(button('Save calendar'));
  await expectProblem('textbox', 'Holidays', 'Must be days such as 2026-12-25, one on each line.');
  await expectCalls(page, 'settlements.setCalendar', []);
});

test('an account returns to what its gateway publishes', async () => {
  const { user, onClose } = await open();
  await user.click(button('Follow what Paystack publishes'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  await expectCalls(page, 'settlements.setCalendar', [{ merchantId: 'm-1', accountId: 'acc-1', calendar: null }]);
});
