// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SecretHost } from '#/components/shown-once/secret-host.tsx';
import { button, checkbox, expectProblem, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { IssueDialog } from './issue-dialog.tsx';

const page = openDashboard('?mode=test');

function showDialog() {
  return page.show(
    <>
      <IssueDialog publicUrl="https://pay.example" onDone={() => undefined} onClose={() => undefined} />
      <SecretHost />
    </>,
  );
}

test('a token is created for 90 days unless another time is chosen, to read unless drafts are allowed', async () => {
  page.on('agentTokens.issue', () => ({ kind: 'issued', token: 'swy_1' }));
  const user = showDialog();
  expect(radio('After 90 days').checked).toBe(true);
  await user.click(checkbox(/May save drafts/));
  await user.type(field('Name'), ' Support {Enter}');
  await screen.findByRole('dialog', { name: 'Token “Support” was created' });
  await user.click(button('I have stored it'));
  expect(page.calls('agentTokens.issue')).toEqual([{ name: 'Support', maySaveDrafts: true, expiresAt: expect.any(Date) }]);
});

test('a token without a name is not requested, and a refusal is beside the name', async () => {
  page.on('agentTokens.issue', () => ({
    kind: 'invalid',
    problems: [{ field: 'name', message: 'must not hold control characters' }],
  }));
  const user = showDialog();
  await user.click(button('Create token'));
  await expectProblem('textbox', 'Name', 'Must not be empty.');
  expect(page.calls('agentTokens.issue')).toEqual([]);
  await user.type(field('Name'), 'Support{Enter}');
  await expectProblem('textbox', 'Name', 'Must not hold control characters.');
});
