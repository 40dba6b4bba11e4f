// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { SecretHost } from '#/components/shown-once/secret-host.tsx';
import { button, expectProblem, expectRefusal, openDashboard, radio } from '#/testing/dashboard.tsx';
import type { KeyRow } from './keys-table.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

const page = openDashboard('?mode=live');
const onDone = vi.fn();
const onClose = vi.fn();
beforeEach(() => {
  onDone.mockReset();
  onClose.mockReset();
});

const KEY: KeyRow = Object({
  keyId: 'k-1',
  merchantId: 'm-1',
  mode: 'live',
  name: 'Till',
  prefix: 'sk_live_',
  lastFour: '0001',
  lastUsedAt: null,
  uses: [],
});

function showDialog() {
  return page.show(
    <>
      <RotateDialog known={KEY} onDone={onDone} onClose={onClose} />
      <SecretHost />
    </>,
  );
}

test('the old key ends when it is chosen to, and the new one is shown once', async () => {
  page.on('keys.rotate', () => ({ kind: 'rotated', secretKey: 'sk_live_2', old: { expiresAt: null } }));
  const user = showDialog();
  expect(radio('In 24 hours').checked).toBe(true);
  await user.click(radio('In 7 days'));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  await user.click(button('Rotate key'));
  await screen.findByRole('dialog', { name: 'New key for “Till”' });
  const [sent] = page.calls('keys.rotate');
  expect(sent).toMatchObject({ merchantId: 'm-1', keyId: 'k-1', expiresAt: null });
  expect(Reflect.get(Object(sent), 'oldWorksUntil')).toEqual(new Date(Date.now() + 7 * 86_400_000));
  expect(onDone).toHaveBeenCalledOnce();
  await user.click(button('I have stored it'));
  expect(onClose).toHaveBeenCalledOnce();
});

test.each([
  [{ kind: 'invalid', problems: [{ field: 'oldWorksUntil', message: 'must lie within 90 days' }] }, 'Must lie within 90 days.'],
  [{ kind: 'ended' }, 'Cannot be: the key has ended meanwhile. Create a new one instead.'],
  [{ kind: 'too_many_keys', limit: 100 }, 'Cannot be: 100 keys are in use already. Revoke one first.'],
])('a refusal is beside the end of the old key: %j', async (outcome, problem) => {
  page.on('keys.rotate', () => outcome);
  const user = showDialog();
  await user.click(button('Rotate key'));
  await expectProblem('group', 'The old key ends', problem);
});

test('a failed call is said, and another choice is not lost without a question', async () => {
  page.on('keys.rotate', () => {
    throw new Error('The server did not answer.');
  });
  const user = showDialog();
  await user.click(radio('At once'));
  screen.getByText(/Servers that still have it are refused within a second/);
  await user.click(button('Rotate key'));
  await expectRefusal('The server did not answer.');
  await user.click(button('Close'));
  screen.getByText('What you entered is not saved.');
  expect(onClose).not.toHaveBeenCalled();
});
