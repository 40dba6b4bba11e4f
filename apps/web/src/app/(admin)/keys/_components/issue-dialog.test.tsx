// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SecretHost } from '#/components/shown-once/secret-host.tsx';
import { button, checkbox, expectProblem, expectRefusal, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { IssueDialog } from './issue-dialog.tsx';

const page = openDashboard('?mode=live');
const onDone = vi.fn();

function showDialog() {
  return page.show(
    <>
      <IssueDialog merchantId="m-1" merchantName="Balogun Books" onDone={onDone} onClose={() => undefined} />
      <SecretHost />
    </>,
  );
}

test('a key is created with its name, life and restrictions, and shown once', async () => {
  page.on('keys.issue', () => ({ kind: 'issued', secretKey: 'sk_live_1', key: {} }));
  const user = showDialog();
  expect(document.activeElement).toBe(field('Name'));
  await user.type(field('Name'), ' Checkout ');
  await user.click(radio('After 30 days'));
  await user.click(checkbox(/payments:read/));
  await user.type(field('May be used from'), '203.0.113.7,{Enter}2001:db8::/32');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  await user.click(button('Create key'));
  await screen.findByRole('dialog', { name: 'Key “Checkout” was created' });
  const [sent] = page.calls('keys.issue');
  expect(sent).toEqual({
    merchantId: 'm-1',
    mode: 'live',
    name: 'Checkout',
    scopes: ['payments:read'],
    allowedAddresses: ['203.0.113.7', '2001:db8::/32'],
    expiresAt: new Date(Date.now() + 30 * 86_400_000),
  });
  expect(onDone).toHaveBeenCalledOnce();
  await user.click(button('I have stored it'));
});

test('a key without a name is not requested; problems of single networks are beside their list', async () => {
  page.on('keys.issue', () => ({
    kind: 'invalid',
    problems: [{ field: 'allowedAddresses.0', message: 'must be an IP address' }],
  }));
  const user = showDialog();
  await user.click(button('Create key'));
  await expectProblem('textbox', 'Name', 'Must not be empty.');
  expect(page.calls('keys.issue')).toEqual([]);
  await user.type(field('May be used from'), 'shop');
  await user.type(field('Name'), 'Checkout{Enter}');
  await expectProblem('textbox', 'May be used from', 'Must be an IP address.');
  expect(field('May be used from').value).toBe('shop');
});

test('the limit of keys is beside the name, and a failed call at the form', async () => {
  page.on('keys.issue', () => ({ kind: 'too_many_keys', limit: 100 }));
  const user = showDialog();
  await user.type(field('Name'), 'Checkout{Enter}');
  await expectProblem('textbox', 'Name', 'Cannot be one more: 100 live keys are in use. Revoke one first.');
  page.on('keys.issue', () => {
    throw new Error('The server did not answer.');
  });
  await user.click(button('Create key'));
  await expectRefusal('The server did not answer.');
});
