// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { SecretHost } from '#/components/shown-once/secret-host.tsx';
import { button, checkbox, expectProblem, field, openDashboard } from '#/testing/dashboard.tsx';
import { CreateDialog } from './create-dialog.tsx';

const page = openDashboard('?mode=live');
beforeEach(() => {
  page.on('merchants.list', () => [
    { merchantId: 'm-1', name: 'Balogun Books', merchantNumber: 'M-1' },
    { merchantId: 'm-2', name: 'Yaba Gadgets', merchantNumber: 'M-2' },
  ]);
});

async function showDialog() {
  const user = page.show(
    <>
      <CreateDialog publicUrl="https://pay.example" onDone={() => undefined} onClose={() => undefined} />
      <SecretHost />
    </>,
  );
  await screen.findByRole('checkbox', { name: 'Yaba Gadgets' });
  return user;
}

test('a token is created for the merchants and modes chosen', async () => {
  page.on('financeTokens.issue', () => ({ kind: 'issued', token: 'swf_1' }));
  const user = await showDialog();
  await user.click(checkbox('Yaba Gadgets'));
  await user.click(checkbox('Test'));
  await user.type(field('Name'), 'Month end{Enter}');
  await screen.findByRole('dialog', { name: 'Token “Month end” was created' });
  await user.click(button('I have stored it'));
  expect(page.calls('financeTokens.issue')).toEqual([
    { name: 'Month end', merchantIds: ['m-2'], modes: ['test', 'live'], expiresAt: expect.any(Date) },
  ]);
});

test('what is missing is beside each field, and nothing is requested', async () => {
  const user = await showDialog();
  await user.click(checkbox('Live'));
  await user.click(button('Create token'));
  await expectProblem('textbox', 'Name', 'Must not be empty.');
  await expectProblem('group', 'Merchants', 'Must have at least one merchant.');
  await expectProblem('group', 'Modes', 'Must be test, live or both.');
  expect(page.calls('financeTokens.issue')).toEqual([]);
});

test('a refusal is beside its field', async () => {
  page.on('financeTokens.issue', () => ({
    kind: 'invalid',
    problems: [{ field: 'merchantIds.0', message: 'must be a merchant' }],
  }));
  const user = await showDialog();
  await user.click(checkbox('Balogun Books'));
  await user.type(field('Name'), 'Month end{Enter}');
  await expectProblem('group', 'Merchants', 'Must be a merchant.');
});
