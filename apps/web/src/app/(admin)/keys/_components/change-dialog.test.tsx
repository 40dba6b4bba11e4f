// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { button, checkbox, expectCalls, expectProblem, field, openDashboard } from '#/testing/dashboard.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import type { KeyRow } from './keys-table.tsx';

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
