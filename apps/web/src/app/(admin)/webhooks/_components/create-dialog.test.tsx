// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { SecretHost } from '#/components/shown-once/secret-host.tsx';
import { button, checkbox, expectCalls, expectProblem, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { CreateDialog } from './create-dialog.tsx';

const page = openDashboard('?mode=test');
let merchants: { merchantId: string; name: string; merchantNumber: string }[];
beforeEach(() => {
  merchants = [{ merchantId: 'm-1', name: 'Balogun Books', merchantNumber: 'M-1' }];
  page.on('merchants.list', () => merchants);
  page.on('webhooks.create', () => ({ kind: 'created', secret: 'whsec_1', endpointId: 'e-1' }));
});

function showDialog() {
  return page.show(
    <>
      <CreateDialog onDone={() => undefined} onClose={() => undefined} />
      <SecretHost />
    </>,
  );
}

test('an endpoint of the only merchant is sent the usual events, and its secret is shown once', async () => {
  const user = showDialog();
  await user.type(field('Description'), 'Orders');
  await user.type(field('Address'), ' https://shop.example/hooks {Enter}');
  await screen.findByRole('dialog', { name: 'The endpoint was added' });
  await user.click(button('I have stored it'));
  expect(page.calls('webhooks.create')).toEqual([
    {
      merchantId: 'm-1',
      mode: 'test',
      url: 'https://shop.example/hooks',
      description: 'Orders',
      types: [],
      format: 'switchyard',
      secret: null,
    },
  ]);
});

test('another format has its own events and secret: those chosen before are forgotten', async () => {
  const user = showDialog();
  await user.click(radio('Only these'));
  await user.click(screen.getAllByRole('checkbox')[0] ?? button('Add endpoint'));
  await user.click(radio('Paystack'));
  expect(radio('Only these').checked).toBe(false);
  await user.type(screen.getByLabelText('Secret'), 'sk_test_0123456789');
  await user.type(field('Address'), 'https://shop.example{Enter}');
  await screen.findByRole('dialog', { name: 'The endpoint was added' });
  await user.click(button('I have stored it'));
  expect(page.calls('webhooks.create')).toMatchObject([{ format: 'paystack', secret: 'sk_test_0123456789', types: [] }]);
});

test('what is missing is beside each field, and nothing is requested', async () => {
  merchants.push({ merchantId: 'm-2', name: 'Yaba Gadgets', merchantNumber: 'M-2' });
  const user = showDialog();
  await screen.findByRole('combobox', { name: /Merchant/ });
  await user.click(radio('Only these'));
  await user.click(button('Add endpoint'));
  await expectProblem('combobox', /Merchant/, 'Must be chosen.');
  await expectProblem('textbox', 'Address', 'Must not be empty.');
  expect(page.calls('webhooks.create')).toEqual([]);
});

test('some events must be named', async () => {
  const user = showDialog();
  await user.click(radio('Only these'));
  await user.type(field('Address'), 'https://shop.example{Enter}');
  await expectProblem('group', 'Which events', 'Must name at least one event.');
  await user.click(screen.getAllByRole('checkbox')[0] ?? checkbox(''));
  await user.click(button('Add endpoint'));
  await screen.findByRole('dialog', { name: 'The endpoint was added' });
  await user.click(button('I have stored it'));
});

test('a refusal is beside its field', async () => {
  page.on('webhooks.create', () => ({ kind: 'invalid', problems: [{ field: 'url', message: 'must be reachable' }] }));
  const user = showDialog();
  await user.type(field('Address'), 'https://shop.example{Enter}');
  await expectProblem('textbox', 'Address', 'Must be reachable.');
  page.on('webhooks.create', () => ({ kind: 'too_many_endpoints', limit: 20 }));
  await user.click(button('Add endpoint'));
  await expectProblem('textbox', 'Address', 'Cannot be one more: the merchant has 20 test endpoints.');
  await expectCalls(page, 'webhooks.update', []);
});
