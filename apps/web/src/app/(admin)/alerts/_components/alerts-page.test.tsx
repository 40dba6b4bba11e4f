// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Finding } from '#/incidents/use-attention.ts';
import { button, expectCalls, hrefOf, openDashboard, tableOf, textOf } from '#/testing/dashboard.tsx';
import { partial } from '#/testing/partial.ts';
import type { Permission } from '#/trpc/use-can.ts';
import { ChannelsPage } from '../channels/_components/channels-page.tsx';
import { AlertsPage } from './alerts-page.tsx';

const AT = new Date('2024-11-21T13:02:00Z');
const LATER = new Date('2024-11-21T15:32:00Z');
const FUTURE = new Date('2099-01-02T03:04:00Z');
const FINDING = partial<Finding>({
  key: 'i-1',
  incidentId: 'i-1',
  severity: 'critical',
  title: 'paystack-main is down',
  why: '18 of 22 checkouts timed out.',
  kindTitle: 'Gateway down',
  figures: [
    { label: 'Affected', value: '22 payments' },
    { label: 'Failed', value: '18' },
  ],
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  mode: 'live',
  since: AT,
  acknowledgedAt: null,
  acknowledgedByName: null,
  mutedUntil: null,
  closedAt: null,
  closedReason: null,
  action: { label: 'Drain', path: '/health', query: { account: 'acc-1' }, needs: 'override:set' },
});
const WORK = {
  ...FINDING,
  key: 'reviews',
  incidentId: null,
  severity: 'info',
  title: 'Reviews wait',
  why: '2 wait.',
  figures: [],
  merchantName: null,
  since: LATER,
} as Finding;
const WARNING = {
  ...FINDING,
  key: 'i-2',
  incidentId: 'i-2',
  severity: 'warning',
  title: 'kora-main is slow',
  since: null,
} as Finding;

const page = openDashboard('?mode=live', '/alerts');
beforeEach(() => {
  page.allow('alert:read');
  page.on('attention.list', () => ({ items: [FINDING, WORK, WARNING], incomplete: false }));
  page.on('alerts.muted', () => []);
});
const showPage = () => page.show(<AlertsPage />);
async function showView(name: string) {
  const user = showPage();
  await user.click(screen.getByRole('tab', { name }));
  return user;
}
const titles = async (name: string) => (await tableOf(name)).slice(1).map((row) => row[0]?.slice(0, 9));

describe('open alerts', () => {
  test('have their sentence, severity and what is done about them, the most severe first', async () => {
    showPage();
    const [header, ...rows] = await tableOf('Open alerts');
    expect(header).toEqual(['Alert', 'Severity', 'Merchant', 'Started', 'Acknowledged', 'Actions']);
    expect(rows).toEqual([
      [
        'Criticalpaystack-main is down18 of 22 checkouts timed out.',
        'Critical',
        'Balogun Books',
        'Started 21 Nov 2024, 14:02',
        'No',
        'View',
      ],
      ['Warningkora-main is slow18 of 22 checkouts timed out.', 'Warning', 'Balogun Books', 'Started', 'No', 'View'],
      ['To doReviews wait2 wait.', 'To do', 'Workspace', 'Started 21 Nov 2024, 16:32', '', 'View'],
    ]);
    screen.getByText('3 alerts');
  });

  test('are sorted by when they started, and counted and filtered by severity', async () => {
    const user = showPage();
    expect(await titles('Open alerts')).toEqual(['Criticalp', 'Warningko', 'To doRevi']);
    await user.click(button('Started'));
    expect(await titles('Open alerts')).toEqual(['To doRevi', 'Criticalp', 'Warningko']);
    await user.click(button('Started'));
    expect(await titles('Open alerts')).toEqual(['Warningko', 'Criticalp', 'To doRevi']);
    const severities = within(screen.getByRole('group', { name: 'Severity' }));
    expect(severities.getAllByRole('button').map(textOf)).toEqual(['All3', 'Critical1', 'Warning1', 'To do1']);
    await user.click(severities.getByRole('button', { name: /^Warning/ }));
    expect(await titles('Open alerts')).toEqual(['Warningko']);
    screen.getByText('1 alert');
    expect(page.search()).toContain('severity=warning');
  });

  test('are acknowledged several at once by those who may: those that are an alert, and not acknowledged yet', async () => {
    page.allow('alert:acknowledge');
    page.on('alerts.acknowledge', () => ({}));
    const user = showPage();
    await screen.findByRole('checkbox', { name: /paystack-main is down/ });
    expect(screen.queryByRole('checkbox', { name: /Reviews wait/ })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: /paystack-main is down/ }));
    await user.click(screen.getByRole('checkbox', { name: /kora-main is slow/ }));
    await user.click(button('Acknowledge 2 alerts'));
    await expectCalls(page, 'alerts.acknowledge', [
      { merchantId: 'm-1', incidentId: 'i-1' },
      { merchantId: 'm-1', incidentId: 'i-2' },
    ]);
    await waitFor(() => expect(page.toasts()).toEqual(['2 alerts are acknowledged.']));
  });

  test('are acknowledged and muted by those who may; work that waits has neither', async () => {
    page.allow('alert:acknowledge', 'override:set');
    page.on('alerts.acknowledge', () => ({}));
    page.on('alerts.mute', () => ({}));
    const user = showPage();
    await user.click(await screen.findByRole('button', { name: 'Acknowledge: paystack-main is down' }));
    await expectCalls(page, 'alerts.acknowledge', [{ merchantId: 'm-1', incidentId: 'i-1' }]);
    await user.click(button('Mute 4 h: paystack-main is down'));
    await expectCalls(page, 'alerts.mute', [{ merchantId: 'm-1', incidentId: 'i-1', hours: 4 }]);
    expect(screen.queryByRole('button', { name: /Reviews wait/ })).toBeNull();
    expect(hrefOf('Drain: paystack-main is down')).toBe('/health?mode=live&merchant=m-1&account=acc-1');
  });

  test('that are acknowledged and muted say by whom and until when, and are unmuted', async () => {
    page.allow('alert:acknowledge');
    page.on('alerts.mute', () => ({}));
    page.on('attention.list', () => ({
      items: [
        { ...FINDING, acknowledgedAt: AT, acknowledgedByName: null, mutedUntil: FUTURE },
        { ...WARNING, acknowledgedAt: AT, acknowledgedByName: 'Ada Obi', mutedUntil: AT },
      ],
      incomplete: false,
    }));
    const user = showPage();
    const rows = await tableOf('Open alerts');
    expect([rows[1]?.[4], rows[2]?.[4]]).toEqual([
      'Acknowledged By a colleague 21 Nov 2024, 14:02Muted until 2 Jan 2099, 04:04',
      'Acknowledged By Ada Obi 21 Nov 2024, 14:02',
    ]);
    expect(screen.queryByRole('button', { name: /^Acknowledge/ })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Unmute: paystack-main is down' }));
    await expectCalls(page, 'alerts.mute', [{ merchantId: 'm-1', incidentId: 'i-1', hours: 0 }]);
  });

  test('that could not be acknowledged say why in the corner', async () => {
    page.allow('alert:acknowledge');
    page.on('alerts.acknowledge', () => {
      throw new Error('It has ended.');
    });
    const user = showPage();
    await user.click(await screen.findByRole('button', { name: 'Acknowledge: paystack-main is down' }));
    await waitFor(() => expect(page.toasts()).toEqual(['It has ended.']));
  });

  test('of a kind that is muted send nothing, until those who may unmute it', async () => {
    page.allow('alert:acknowledge');
    page.on('alerts.muted', () => [{ kind: 'gateway_down', title: 'Gateway down', merchantId: null, mutedUntil: FUTURE }]);
    page.on('alerts.muteKind', () => ({}));
    const user = showPage();
    expect(textOf(await screen.findByText(/no messages until/))).toContain('Gateway down: no messages until 2 Jan 2099, 04:04.');
    await user.click(await screen.findByRole('button', { name: 'Unmute Gateway down' }));
    await expectCalls(page, 'alerts.muteKind', [{ merchantId: null, kind: 'gateway_down', hours: 0 }]);
  });

  test('that are none say what would be listed', async () => {
    page.on('attention.list', () => ({ items: [], incomplete: false }));
    showPage();
    await screen.findByRole('heading', { name: 'Nothing needs attention' });
    expect(screen.queryByRole('table')).toBeNull();
  });

  test('that could not be read say why', async () => {
    page.on('attention.list', () => {
      throw new Error('The database is unavailable.');
    });
    showPage();
    await screen.findByText('The database is unavailable.');
  });
});

describe('ended alerts', () => {
  const ENDED = { ...FINDING, acknowledgedAt: AT, closedAt: LATER, closedReason: 'recovered' } as Finding;
  beforeEach(() => {
    page.on('alerts.history', () => ({
      items: [ENDED, { ...ENDED, key: 'i-3', closedReason: 'absorbed', since: null }],
      next: null,
    }));
    page.on('alerts.historyCounts', () => ({ critical: 7, warning: 5 }));
  });

  test('say how long they lasted, and are not acknowledged any more', async () => {
    page.allow('alert:acknowledge');
    await showView('History');
    const [header, ...rows] = await tableOf('Ended alerts');
    expect(header).toEqual(['Alert', 'Severity', 'Merchant', 'Started', 'Ended', 'Duration', 'Actions']);
    expect(rows.map((row) => row.slice(4))).toEqual([
      ['Ended 21 Nov 2024, 16:32', 'Lasted 2 h 30 min', 'View'],
      ['Merged into another alert 21 Nov 2024, 16:32', 'Lasted', 'View'],
    ]);
    expect(screen.queryByRole('button', { name: /Acknowledge:|Mute/ })).toBeNull();
  });

  test('are sorted and filtered by the server', async () => {
    const user = await showView('History');
    await tableOf('Ended alerts');
    expect(page.calls('alerts.history')[0]).toMatchObject({
      mode: 'live',
      severity: null,
      sort: { by: 'began', descending: true },
    });
    await user.click(button('Duration'));
    const severities = within(screen.getByRole('group', { name: 'Severity' }));
    expect(severities.getAllByRole('button').map(textOf)).toEqual(['All12', 'Critical7', 'Warning5']);
    await user.click(severities.getByRole('button', { name: /^Warning/ }));
    await waitFor(() =>
      expect(page.calls('alerts.history').at(-1)).toMatchObject({
        severity: 'warning',
        sort: { by: 'lasted', descending: true },
      }),
    );
  });

  test('that are none say so, and that a filter is why', async () => {
    page.on('alerts.history', () => ({ items: [], next: null }));
    const user = await showView('History');
    await screen.findByRole('heading', { name: 'No alert has ended yet' });
    await user.click(screen.getByRole('button', { name: /^Critical/ }));
    await screen.findByRole('heading', { name: 'No alert of this severity has ended yet' });
  });
});

describe('messages', () => {
  const MESSAGE = {
    notificationId: 'n-1',
    title: 'paystack-main is down',
    event: 'opened',
    channelName: 'On call',
    state: 'SENT',
    error: null,
    sentAt: LATER,
    createdAt: AT,
  };
  beforeEach(() => {
    page.on('alerts.messageCounts', () => ({ SENT: 1, PENDING: 0, FAILED: 1, SKIPPED: 1 }));
  });

  test('say what they were about, through which channel, and why they were not sent', async () => {
    page.on('alerts.messages', () => ({
      items: [
        MESSAGE,
        { ...MESSAGE, notificationId: 'n-2', event: 'recovered', state: 'FAILED', error: 'status 404', sentAt: null },
        { ...MESSAGE, notificationId: 'n-3', event: 'escalated', state: 'SKIPPED', error: 'quiet_hours', sentAt: null },
      ],
      next: null,
    }));
    await showView('Messages');
    const [header, ...rows] = await tableOf('Messages');
    expect(header).toEqual(['About', 'Event', 'Channel', 'Status', 'Error', 'Time']);
    expect(rows.map((row) => row.slice(1))).toEqual([
      ['Opened', 'On call', 'Sent', '', '21 Nov 2024, 16:32'],
      ['Recovered', 'On call', 'Failed', 'HTTP 404', '21 Nov 2024, 14:02'],
      ['Escalated', 'On call', 'Not sent', 'Suppressed by quiet hours', '21 Nov 2024, 14:02'],
    ]);
  });

  test('are filtered by state and sorted by time at the server', async () => {
    page.on('alerts.messages', () => ({ items: [MESSAGE], next: null }));
    const user = await showView('Messages');
    await tableOf('Messages');
    const states = within(screen.getByRole('group', { name: 'Status' }));
    expect(states.getAllByRole('button').map(textOf)).toEqual(['All3', 'Sent1', 'Pending0', 'Failed1', 'Not sent1']);
    await user.click(button('Time'));
    await user.click(states.getByRole('button', { name: /^Not sent/ }));
    await waitFor(() => expect(page.calls('alerts.messages').at(-1)).toMatchObject({ state: 'SKIPPED', newestFirst: false }));
  });

  test('that are none say so: of a state, or at all', async () => {
    page.on('alerts.messages', () => ({ items: [], next: null }));
    const user = await showView('Messages');
    await screen.findByRole('heading', { name: 'No messages yet' });
    await user.click(screen.getByRole('button', { name: /^Failed/ }));
    await screen.findByText('No messages in this state.');
  });
});

describe('channels', () => {
  const CHANNEL = {
    channelId: 'c-1',
    merchantId: null,
    name: 'On call',
    kind: 'slack',
    targetHint: 'hooks.slack.com/…/X1',
    enabled: true,
    modes: ['live', 'test'],
    kinds: [],
    minSeverity: 'warning',
    escalationsOnly: false,
    quietHours: null,
    escalation: null,
    last: null,
  };
  async function show(change: object, ...permissions: readonly Permission[]) {
    page.allow(...permissions);
    page.on('alerts.channels', () => [{ ...CHANNEL, ...change }]);
    const user = page.show(<ChannelsPage />);
    await screen.findByText('On call');
    return user;
  }
  const entry = () => textOf(screen.getByRole('listitem'));

  test.each<[string, object, string]>([
    [
      'every kind and mode',
      {},
      'Slack, hooks.slack.com/…/X1 · workspace · live and test, all types, from warningNo messages yet.',
    ],
    [
      'some',
      { merchantId: 'm-1', modes: ['live'], kinds: ['a'], minSeverity: 'critical' },
      'Slack, hooks.slack.com/…/X1 · this merchant · live, 1 type, critical onlyNo messages yet.',
    ],
    [
      'some by night, and louder later',
      {
        kinds: ['a', 'b'],
        quietHours: { from: 1_350, to: 425, zone: 'Africa/Lagos' },
        escalation: { afterMinutes: 15 },
        enabled: false,
      },
      '· workspace · live and test, 2 types, from warning, quiet 22:30–07:05 (Africa/Lagos), escalates after 15 minNo',
    ],
    ['escalations', { escalationsOnly: true }, '· workspace · escalations onlyNo'],
  ])('say what they are told of: %s', async (_what, change, text) => {
    await show(change, 'alert:read');
    expect(entry()).toContain(text);
    expect(entry()).toContain('enabled' in change ? 'On callDisabled' : 'On callActive');
    expect(screen.queryByRole('button', { name: /Edit|Send test|Switch|Add/ })).toBeNull();
  });

  test.each([
    [{ state: 'SENT', at: AT, error: null }, 'Last message arrived 21 Nov 2024, 14:02'],
    [{ state: 'FAILED', at: AT, error: 'timeout' }, 'Last message failed 21 Nov 2024, 14:02: No response in time'],
  ])('say how the last message went: %j', async (last, text) => {
    await show({ last }, 'alert:read');
    expect(entry().endsWith(text)).toBe(true);
  });

  test('are tested and switched off by those who may', async () => {
    page.on('alerts.testChannel', () => ({}));
    page.on('alerts.updateChannel', () => ({}));
    const user = await show({}, 'alert:configure');
    await user.click(await screen.findByRole('button', { name: 'Send test to On call' }));
    await expectCalls(page, 'alerts.testChannel', [{ merchantId: null, channelId: 'c-1' }]);
    await waitFor(() => expect(page.toasts()).toEqual(['A test message to “On call” was queued. Its result appears here.']));
    await user.click(button('Disable On call'));
    await expectCalls(page, 'alerts.updateChannel', [{ merchantId: null, channelId: 'c-1', enabled: false }]);
    expect(hrefOf('Alerts')).toBe('/alerts?mode=live');
  });

  test('that are none say which kinds there are', async () => {
    page.on('alerts.channels', () => []);
    page.show(<ChannelsPage />);
    await screen.findByRole('heading', { name: 'No channel yet' });
    screen.getByText(/Workspace channels receive alerts about all merchants/);
  });
});
