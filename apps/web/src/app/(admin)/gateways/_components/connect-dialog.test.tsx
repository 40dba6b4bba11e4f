// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { button, checkbox, expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import type { Kind } from './copy.ts';

const page = openDashboard('?mode=test&merchant=m-1');
const onConnected = vi.fn();
const FEES = { percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 750 };
const KIND: Kind = {
  name: 'paystack',
  title: 'Paystack',
  currencies: ['NGN'],
  methods: ['CARD', 'TRANSFER'],
  minAmount: 50,
  maxAmount: null,
  fields: [{ name: 'secretKey', label: 'Secret key', help: null, secret: true, required: true }],
  publishedFees: [{ gateway: 'paystack', title: 'Paystack, local', schedule: FEES, note: null }],
};

beforeEach(() => {
  onConnected.mockReset();
  page.on('me', () => ({ access: [{ merchantId: 'm-1', permissions: ['gateway:configure'] }] }));
  page.on('merchants.list', () => [{ merchantId: 'm-1', name: 'Balogun Books', merchantNumber: 'M-1' }]);
  page.on('gateways.kinds', () => [KIND]);
  page.on('gateways.feeExamples', () => []);
});

async function showForm() {
  const user = page.show(<ConnectDialog accounts={[]} onConnected={onConnected} onClose={() => undefined} />);
  await user.click(await screen.findByRole('radio', { name: 'Paystack' }));
  await screen.findByRole('textbox', { name: 'Label' });
  return user;
}

test('an account is connected with what was entered; its published fees are the beginning', async () => {
  page.on('gateways.connect', () => ({ kind: 'connected', account: { id: 'a-1', label: 'paystack-main' } }));
  const user = await showForm();
  await user.type(screen.getByLabelText('Secret key'), ' sk_test_1 ');
  await user.click(checkbox(/Card/));
  await user.clear(field('Percentage'));
  await user.type(field('Percentage'), '1.25');
  await user.type(field('Largest amount'), '1000000');
  await user.click(button('Connect paystack-main'));
  await waitFor(() => expect(onConnected).toHaveBeenCalledExactlyOnceWith('a-1'));
  expect(page.calls('gateways.connect')).toEqual([
    {
      merchantId: 'm-1',
      mode: 'test',
      gateway: 'paystack',
      enabled: true,
      label: 'paystack-main',
      credentials: { secretKey: 'sk_test_1' },
      currencies: ['NGN'],
      methods: ['TRANSFER'],
      minAmount: 50,
      maxAmount: 1_000_000,
      fees: { ...FEES, percentBasisPoints: 125 },
      baseUrl: null,
    },
  ]);
});

test('what is wrong is beside each field, and nothing is sent', async () => {
  const user = await showForm();
  await user.clear(field('Percentage'));
  await user.type(field('Percentage'), '101');
  await user.tab();
  await expectProblem('textbox', 'Percentage', 'Must lie between 0 and 100.');
  await user.clear(field('Label'));
  await user.click(button(/^Connect/));
  await expectProblem('textbox', 'Label', 'Must be 1 to 60 small letters, digits and inner hyphens.');
  expect(screen.getByLabelText('Secret key').getAttribute('aria-invalid')).toBe('true');
  expect(page.calls('gateways.connect')).toEqual([]);
});

test('without fees none are sent', async () => {
  page.on('gateways.connect', () => ({ kind: 'label_taken' }));
  const user = await showForm();
  await user.type(screen.getByLabelText('Secret key'), 'sk_test_1');
  await user.click(button('Remove fees'));
  await user.click(button(/^Connect/));
  await expectProblem('textbox', 'Label', 'Is taken by another account of this merchant.');
  expect(page.calls('gateways.connect')).toMatchObject([{ fees: null }]);
});

test('a refusal is beside its field or at the form', async () => {
  page.on('gateways.connect', () => ({
    kind: 'invalid',
    problems: [{ field: 'fees.vatBasisPoints', message: 'must not be negative' }],
  }));
  const user = await showForm();
  await user.type(screen.getByLabelText('Secret key'), 'sk_test_1');
  await user.click(button(/^Connect/));
  await expectProblem('textbox', 'VAT on the fee', 'Must not be negative.');
  page.on('gateways.connect', () => ({ kind: 'too_many_accounts', limit: 20 }));
  await user.click(button(/^Connect/));
  await expectRefusal('A merchant may have 20 accounts at most.');
});

test('a chosen gateway is not lost without a question', async () => {
  const user = await showForm();
  await user.click(button('Close'));
  await expectRefusal('What you entered is not saved.');
});
