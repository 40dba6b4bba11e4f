// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { SecretHost } from '#/components/shown-once/secret-host.tsx';
import {
  button,
  checkbox,
  expectCalls,
  expectProblem,
  expectRefusal,
  field,
  openDashboard,
  radio,
} from '#/testing/dashboard.tsx';
import { ChangeDialog, IssueDialog, RotateDialog } from './key-dialogs.tsx';
import type { KeyRow } from './keys-table.tsx';

describe('issue dialog', () => {
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

  test('full access is chosen as such: a key is restricted at first, and nothing chosen is not everything', async () => {
    page.on('keys.issue', () => ({ kind: 'too_many_keys', limit: 100 }));
    const user = showDialog();
    expect(radio('Restricted').checked).toBe(true);
    await user.type(field('Name'), 'Checkout{Enter}');
    await expectProblem('group', 'Permissions', 'Must have at least one permission.');
    expect(page.calls('keys.issue')).toEqual([]);
    await user.click(radio('Full access'));
    await user.click(button('Create key'));
    await waitFor(() => expect(page.calls('keys.issue')).toMatchObject([{ scopes: ['full_access'] }]));
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
    await user.click(radio('Full access'));
    await user.type(field('May be used from'), 'shop');
    await user.type(field('Name'), 'Checkout{Enter}');
    await expectProblem('textbox', 'May be used from', 'Must be an IP address.');
    expect(field('May be used from').value).toBe('shop');
  });

  test('the limit of keys is beside the name, and a failed call at the form', async () => {
    page.on('keys.issue', () => ({ kind: 'too_many_keys', limit: 100 }));
    const user = showDialog();
    await user.click(radio('Full access'));
    await user.type(field('Name'), 'Checkout{Enter}');
    await expectProblem('textbox', 'Name', 'Cannot be one more: 100 live keys are in use. Revoke one first.');
    page.on('keys.issue', () => {
      throw new Error('The server did not answer.');
    });
    await user.click(button('Create key'));
    await expectRefusal('The server did not answer.');
  });
});

describe('change dialog', () => {
  const page = openDashboard('?mode=live');
  const onClose = vi.fn();

  const KEY: KeyRow = {
    merchantId: 'm-1',
    keyId: 'k-1',
    mode: 'live',
    publicId: 'abcdef',
    name: 'Checkout',
    lastFour: '1234',
    createdAt: new Date(0),
    createdBy: 'staff:s-1',
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    rotatedFromId: null,
    scopes: ['payments:read'],
    allowedAddresses: ['203.0.113.7'],
    state: 'active',
    requestsInWeek: 0,
  };

  test('only what was changed is sent', async () => {
    page.on('keys.change', () => ({ kind: 'changed', key: { name: 'Till' } }));
    const user = page.show(<ChangeDialog known={KEY} onDone={() => undefined} onClose={onClose} />);
    expect(checkbox(/payments:read/).checked).toBe(true);
    await user.clear(field('Name'));
    await user.type(field('Name'), 'Till{Enter}');
    await expectCalls(page, 'keys.change', [{ merchantId: 'm-1', keyId: 'k-1', changes: { name: 'Till' } }]);
    await waitFor(() => expect(page.toasts()).toEqual(['Key “Till” was changed.']));
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('the last permission that is taken away is not everything', async () => {
    const user = page.show(<ChangeDialog known={KEY} onDone={() => undefined} onClose={() => undefined} />);
    await user.click(checkbox(/payments:read/));
    await user.click(button('Save'));
    await expectProblem('group', 'Permissions', 'Must have at least one permission.');
    expect(page.calls('keys.change')).toEqual([]);
  });

  test('networks are replaced as a list, and what is wrong with one is beside it', async () => {
    const problems = [
      { field: 'allowedAddresses.1', message: 'must be a network' },
      { field: 'allowedAddresses.2', message: 'must be a network' },
    ];
    page.on('keys.change', () => ({ kind: 'invalid', problems }));
    const user = page.show(<ChangeDialog known={KEY} onDone={() => undefined} onClose={() => undefined} />);
    await user.type(field('May be used from'), ' a, b');
    await user.click(button('Save'));
    await expectProblem('textbox', 'May be used from', 'Must be a network.');
    expect(page.calls('keys.change')).toMatchObject([{ changes: { allowedAddresses: ['203.0.113.7', 'a', 'b'] } }]);
  });

  test('a key that has ended meanwhile says so', async () => {
    page.on('keys.change', () => ({ kind: 'ended' }));
    const user = page.show(<ChangeDialog known={KEY} onDone={() => undefined} onClose={() => undefined} />);
    await user.type(field('Name'), '!{Enter}');
    await expectProblem('textbox', 'Name', 'Cannot be changed: the key has ended meanwhile.');
  });
});

describe('rotate dialog', () => {
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
});
