// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, expectCalls, expectProblem, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { CreateDialog } from './create-dialog.tsx';

const page = openDashboard('?mode=test');
const showDialog = () => page.show(<CreateDialog onDone={() => undefined} onClose={() => undefined} />);

test('a merchant is created with its settings, and its page opened', async () => {
  page.on('merchants.create', () => ({
    kind: 'created',
    merchant: { merchantId: 'm-1', name: 'Balogun Books', merchantNumber: 'M-1' },
  }));
  const user = showDialog();
  await user.clear(field('Session length'));
  await user.type(field('Session length'), '90');
  await user.click(radio(/Refund automatically/));
  await user.type(field('Default redirect address'), ' https://shop.example/thanks ');
  await user.type(field('Name'), ' Balogun Books {Enter}');
  await expectCalls(page, 'merchants.create', [
    {
      name: 'Balogun Books',
      defaultRedirectUrl: 'https://shop.example/thanks',
      sessionMinutes: 90,
      timeZone: 'Africa/Lagos',
      refundDuplicates: true,
    },
  ]);
  await waitFor(() => expect(page.toasts()).toEqual(['Balogun Books was added as M-1.']));
  expect(page.navigations()).toEqual([expect.stringContaining('/merchants/m-1')]);
});

test('what the server would refuse is said before it is sent', async () => {
  const user = showDialog();
  await user.type(field('Default redirect address'), 'http://shop.example');
  await user.tab();
  await expectProblem('textbox', 'Default redirect address', 'Must be an https:// address without a user name.');
  await user.clear(field('Session length'));
  await user.click(button('Add'));
  await expectProblem('textbox', 'Name', 'Must not be empty.');
  await expectProblem('textbox', 'Session length', 'Must be a whole number.');
  await user.type(field('Session length'), '2000');
  await user.click(button('Add'));
  await expectProblem('textbox', 'Session length', 'Must be at most 1440.');
  expect(page.calls('merchants.create')).toEqual([]);
});

test("the server's problems are beside their fields", async () => {
  page.on('merchants.create', () => ({
    kind: 'invalid',
    problems: [{ field: 'defaultRedirectUrl', message: 'must be public' }],
  }));
  const user = showDialog();
  await user.type(field('Name'), 'Balogun Books{Enter}');
  await expectProblem('textbox', 'Default redirect address', 'Must be public.');
  page.on('merchants.create', () => ({ kind: 'number_taken' }));
  await user.click(button('Add'));
  await expectProblem('textbox', 'Name', 'Could not be given a number; try again.');
});
