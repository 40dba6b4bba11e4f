import { describe, expect, test } from 'vitest';
import { draftOf, settingsFrom, targetFrom } from './channel-draft.ts';

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
