// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, expectCalls, expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import type { Account, Kind } from '../copy.ts';
import { EditForm } from './account-panel.tsx';

const page = openDashboard('?mode=test&merchant=m-1');
const onClose = vi.fn();
const KIND: Kind = {
  name: 'kora',
  title: 'Kora',
  currencies: ['NGN'],
  methods: ['CARD', 'TRANSFER'],
  minAmount: 50,
  maxAmount: null,
  fields: [
    { name: 'secretKey', label: 'Secret key', help: null, secret: true, required: true },
    { name: 'subAccount', label: 'Sub-account', help: null, secret: false, required: false },
  ],
  publishedFees: [],
};
const ACCOUNT: Account = {
  merchantId: 'm-1',
  id: 'a-1',
  mode: 'test',
  gateway: 'kora',
  label: 'kora-main',
  enabled: true,
  hasCredentials: true,
  credentialHint: {},
  currencies: ['NGN'],
  methods: ['CARD', 'TRANSFER'],
  minAmount: 50n,
  maxAmount: null,
  fees: null,
  baseUrl: null,
  configurationFault: null,
  configurationFaultMessage: null,
  configurationFaultAt: null,
  connectionTestedAt: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  fault: null,
  merchantName: 'Balogun Books',
  webhookUrl: 'https://pay.example/webhooks/kora/a-1',
};
const KEY = { merchantId: 'm-1', accountId: 'a-1' };
beforeEach(() => {
  onClose.mockReset();
  page.on('gateways.list', () => []);
});
const showForm = (what: 'settings' | 'credentials') =>
  page.show(<EditForm account={ACCOUNT} kind={KIND} what={what} onClose={onClose} />);

test('only the settings that were changed are sent', async () => {
  page.on('gateways.update', () => ({ kind: 'updated', account: { label: 'kora-main' } }));
  const user = showForm('settings');
  expect(button('Save kora-main').disabled).toBe(true);
  await user.type(field('Largest amount'), '5000');
  await user.click(button('Save kora-main'));
  await expectCalls(page, 'gateways.update', [{ ...KEY, changes: { maxAmount: 5_000 } }]);
  await waitFor(() => expect(page.toasts()).toEqual(['Account "kora-main" is changed.']));
  expect(onClose).toHaveBeenCalledOnce();
});

test('a largest amount below the smallest is not sent', async () => {
  const user = showForm('settings');
  await user.type(field('Largest amount'), '49{Enter}');
  await expectProblem('textbox', 'Largest amount', 'Must not be below the smallest amount.');
  expect(page.calls('gateways.update')).toEqual([]);
});

test('credentials are replaced as a whole', async () => {
  page.on('gateways.update', () => ({ kind: 'updated', account: { label: 'kora-main' } }));
  const user = showForm('credentials');
  await user.type(field('Sub-account (optional)'), 'x');
  await user.click(button('Replace credentials of kora-main'));
  await waitFor(() => expect(screen.getByLabelText('Secret key').getAttribute('aria-invalid')).toBe('true'));
  expect(page.calls('gateways.update')).toEqual([]);
  await user.clear(field('Sub-account (optional)'));
  await user.type(screen.getByLabelText('Secret key'), 'sk_2{Enter}');
  await expectCalls(page, 'gateways.update', [{ ...KEY, changes: { credentials: { secretKey: 'sk_2' } } }]);
});

test('a refusal is beside its field or at the form', async () => {
  page.on('gateways.update', () => ({ kind: 'invalid', problems: [{ field: 'baseUrl', message: 'must be public' }] }));
  const user = showForm('settings');
  await user.type(field('Another base address'), 'http://10.0.0.1{Enter}');
  await expectProblem('textbox', 'Another base address', 'Must be public.');
  page.on('gateways.update', () => ({ kind: 'not_found' }));
  await user.click(button('Save kora-main'));
  await expectRefusal('The account does not exist any more.');
});
