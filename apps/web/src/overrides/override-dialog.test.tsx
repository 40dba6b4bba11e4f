// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { shownToasts } from '../components/toasts/toast-store.ts';
import { button, expectProblem, expectRefusal, field, openDashboard, radio } from '../testing/dashboard.tsx';
import { type OverridableAccount, OverrideDialog, type OverrideTimes, readTimes } from './override-dialog.tsx';

describe('override dialog', () => {
  const page = openDashboard('?mode=live&merchant=m-1');
  const ACCOUNT: OverridableAccount = {
    merchantId: 'm-1',
    merchantName: 'Yaba Gadget Hub',
    accountId: 'a-1',
    label: 'kora-main',
    health: [{ method: null }, { method: 'CARD' }, { method: 'QR' }],
    overrides: [{ method: 'QR', action: 'disable' }],
  };
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
    await user.click(screen.getByRole('checkbox', { name: /Put back by itself/ }));
    await user.click(radio('Force first'));
    // An account that is tried first is not out: nothing can be put back.
    expect(screen.queryByRole('checkbox')).toBeNull();
    await user.type(field('Reason'), ' Cheaper today ');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
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
      putBack: false,
    });
    expect(Reflect.get(Object(sent), 'expiresAt')).toEqual(new Date(Date.now() + 2 * 3_600_000));
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

  describe('of an account in an outage', () => {
    const { health: _, overrides: _of, ...unknown } = ACCOUNT;
    const showDrain = () => page.show(<OverrideDialog account={unknown} reason="Gateway outage" isRecovered onClose={onClose} />);

    test('the account is drained with the reason proposed, and put back by itself if asked', async () => {
      page.on('health.setOverride', () => ({ kind: 'set', override: { id: 'o-1' } }));
      page.on('health.endOverride', () => ({ kind: 'ended' }));
      const user = showDrain();
      screen.getByRole('dialog', { name: 'Drain kora-main?' });
      screen.getByText('kora-main is not part of an outage any more.');
      expect(screen.queryByRole('radio', { name: 'Force first' })).toBeNull();
      await user.click(screen.getByRole('checkbox', { name: /Put back by itself/ }));
      await user.click(button('Drain kora-main'));
      await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
      expect(page.calls('health.setOverride')).toMatchObject([
        { accountId: 'a-1', method: null, action: 'drain', reason: 'Gateway outage', startsAt: null, putBack: true },
      ]);
      const toast = shownToasts().at(-1);
      expect(toast?.text).toBe('Drained: kora-main.');
      await toast?.action?.run();
      expect(page.calls('health.endOverride')).toEqual([{ merchantId: 'm-1', overrideId: 'o-1' }]);
    });

    test('everything else can be chosen too', async () => {
      const user = showDrain();
      await user.click(button('More options'));
      await user.click(radio('Disable'));
      await user.click(radio('Schedule'));
      button('Plan disable: kora-main');
      expect(field('Reason').value).toBe('Gateway outage');
    });
  });
});

const now = new Date('2026-11-23T12:00:00Z');
const read = (times: Partial<OverrideTimes>) =>
  readTimes({ starts: 'now', startAt: '', ends: '120', endAt: '', ...times }, 'Africa/Lagos', now);

test('an end is counted from the start, now or planned, by the clocks of the zone', () => {
  expect(read({})).toEqual({ ok: true, startsAt: null, expiresAt: new Date('2026-11-23T14:00:00Z') });
  expect(read({ starts: 'at', startAt: '2026-11-25T02:00', ends: '30' })).toEqual({
    ok: true,
    startsAt: new Date('2026-11-25T01:00:00Z'),
    expiresAt: new Date('2026-11-25T01:30:00Z'),
  });
  expect(read({ ends: 'at', endAt: '2026-11-23T15:00' })).toMatchObject({ expiresAt: new Date('2026-11-23T14:00:00Z') });
  expect(read({ ends: 'never' })).toEqual({ ok: true, startsAt: null, expiresAt: null });
});

test.each([
  [{ starts: 'at', startAt: '' }, 'startAt', 'must be a date and a time'],
  [{ starts: 'at', startAt: '2026-11-23T13:00' }, 'startAt', 'must lie in the future'],
  [{ ends: 'at', endAt: '' }, 'endAt', 'must be a date and a time'],
  [{ ends: 'at', endAt: '2026-11-23T12:59' }, 'endAt', 'must lie after the start'],
] as const)('times such as %j are refused', (times, field, problem) => {
  expect(read(times)).toEqual({ ok: false, field, problem });
});
