// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { SecretHost } from '#/components/shown-once/secret-host.tsx';
import { button, checkbox, expectCalls, expectProblem, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import { ChannelDialog, type ChannelRow, draftOf, settingsFrom, targetFrom } from './channel-dialog.tsx';

describe('channel dialog', () => {
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
    expect(page.calls('alerts.createChannel')).toMatchObject([
      { target: { kind: 'webhook', url: 'https://shop.example/alerts' } },
    ]);
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
});

describe('channel draft', () => {
  const draft = draftOf(null, 'live');

  describe('the form of a channel', () => {
    test('begins with the mode in view, all types and no quiet hours', () => {
      expect(settingsFrom({ ...draft, name: 'Ops' })).toEqual({
        name: 'Ops',
        modes: ['live'],
        minSeverity: 'warning',
        kinds: [],
        quietHours: null,
        escalation: null,
      });
    });

    test('takes several addresses, times of the day and an escalation', () => {
      expect(targetFrom({ ...draft, address: ' a@example.com, b@example.com;' })).toEqual({
        kind: 'email',
        to: ['a@example.com', 'b@example.com'],
      });
      const settings = settingsFrom({
        ...draft,
        quiet: 'critical',
        quietFrom: '22:30',
        quietTo: '06:05',
        escalateTo: 'boss',
        escalateAfter: '20',
      });
      expect(settings.quietHours).toEqual({ zone: 'Africa/Lagos', from: 1_350, to: 365, criticalPasses: true });
      expect(settings.escalation).toEqual({ afterMinutes: 20, toChannelId: 'boss' });
    });

    test('names PagerDuty’s address only where it is another', () => {
      const pagerduty = { ...draft, kind: 'pagerduty' as const, address: 'key' };
      expect(targetFrom(pagerduty)).toEqual({ kind: 'pagerduty', routingKey: 'key' });
      expect(targetFrom({ ...pagerduty, eventsAddress: 'https://events.eu.pagerduty.com/v2/enqueue' })).toMatchObject({
        url: 'https://events.eu.pagerduty.com/v2/enqueue',
      });
    });

    test('of a known channel holds its settings, and no address', () => {
      const known = draftOf(
        {
          ...{
            channelId: 'c1',
            merchantId: null,
            kind: 'slack',
            targetHint: 'hooks.slack.com',
            enabled: true,
            name: 'Ops',
            modes: ['test'],
          },
          ...{ kinds: ['backlog'], minSeverity: 'critical', escalationsOnly: false, groupSeconds: 30, last: null },
          ...{ quietHours: { zone: 'UTC', from: 60, to: 120, criticalPasses: false }, escalation: null },
          ...{ createdAt: new Date(), updatedAt: new Date() },
        },
        'live',
      );
      expect(known).toMatchObject({
        kind: 'slack',
        address: '',
        modes: ['test'],
        kinds: ['backlog'],
        quiet: 'all',
        quietFrom: '01:00',
        quietTo: '02:00',
      });
      expect(settingsFrom(known).quietHours?.zone).toBe('UTC');
    });
  });
});
