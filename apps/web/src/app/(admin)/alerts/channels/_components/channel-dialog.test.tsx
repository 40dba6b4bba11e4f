// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { SecretHost } from '#/components/shown-once/secret-host.tsx';
import { button, checkbox, expectCalls, expectProblem, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { ChannelDialog } from './channel-dialog.tsx';
import type { ChannelRow } from './channel-draft.ts';

const page = openDashboard('?mode=live&merchant=m-1');
const onClose = vi.fn();
beforeEach(() => {
  onClose.mockReset();
  page.on('alerts.kinds', () => [{ kind: 'account_down', title: 'Account down' }]);
});

function showDialog(known: ChannelRow | null = null, channels: readonly ChannelRow[] = []) {
  return page.show(
    <>
      <ChannelDialog known={known} channels={channels} onDone={() => undefined} onClose={onClose} />
      <SecretHost />
    </>,
  );
}

test('a channel is added with its addresses and what it is told', async () => {
  page.on('alerts.createChannel', () => ({ kind: 'created', channelId: 'c-1', secret: null }));
  const user = showDialog();
  await user.type(field('Name'), 'On call');
  await user.type(field('E-mail addresses'), 'a@shop.example, b@shop.example');
  await user.click(checkbox('Test'));
  await user.click(radio('Critical alerts only'));
  await user.click(await screen.findByRole('checkbox', { name: 'Account down' }));
  await user.click(radio('Quiet hours, except for critical alerts'));
  await user.clear(await screen.findByRole('textbox', { name: 'Quiet from' }));
  await user.type(field('Quiet from'), '21:30');
  await user.click(button('Add channel'));
  await expectCalls(page, 'alerts.createChannel', [
    {
      merchantId: 'm-1',
      target: { kind: 'email', to: ['a@shop.example', 'b@shop.example'] },
      settings: {
        name: 'On call',
        modes: ['live', 'test'],
        minSeverity: 'critical',
        kinds: ['account_down'],
        quietHours: { zone: expect.any(String), from: 21 * 60 + 30, to: 7 * 60, criticalPasses: true },
        escalation: null,
      },
    },
  ]);
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test('the secret of a new webhook is shown once', async () => {
  page.on('alerts.createChannel', () => ({ kind: 'created', channelId: 'c-1', secret: 'whsec_1' }));
  const user = showDialog();
  await user.click(radio('Signed webhook'));
  await user.type(field('Address'), 'https://shop.example/alerts');
  await user.type(field('Name'), ' Pager {Enter}');
  await screen.findByRole('dialog', { name: 'Channel “Pager” was added' });
  await user.click(button('I have stored it'));
  expect(page.calls('alerts.createChannel')).toMatchObject([{ target: { kind: 'webhook', url: 'https://shop.example/alerts' } }]);
});

test("the server's problems are beside the fields that they are about", async () => {
  const problems = [
    { field: 'name', message: 'must not be empty' },
    { field: 'to.1', message: 'must be an e-mail address' },
    { field: 'modes', message: 'must have at least one' },
  ];
  page.on('alerts.createChannel', () => ({ kind: 'invalid', problems }));
  const user = showDialog();
  await user.click(button('Add channel'));
  await expectProblem('textbox', 'Name', 'Must not be empty.');
  await expectProblem('textbox', 'E-mail addresses', 'Must be an e-mail address.');
  await expectProblem('group', 'Modes', 'Must have at least one.');
  page.on('alerts.createChannel', () => ({ kind: 'too_many', limit: 50 }));
  await user.click(button('Add channel'));
  await expectProblem('textbox', 'Name', 'Cannot be added: there may be at most 50 channels.');
});
