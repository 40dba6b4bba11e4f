import { NIL_ID } from '@switchyard/db';
import type { Incident } from '@switchyard/db/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListedChannel } from '../channels/channel-fields.ts';
import { type IncidentChange, type IncidentNotification, planEscalations, planNotifications } from './plan-notifications.ts';

const NOW = new Date('2026-11-20T14:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);

function channel(id: string, change: Partial<ListedChannel> = {}): ListedChannel {
  return {
    merchantId: NIL_ID,
    id,
    kind: 'slack',
    name: id,
    targetHint: '',
    enabled: true,
    modes: ['live'],
    kinds: [],
    minSeverity: 'warning',
    escalationsOnly: false,
    groupSeconds: 30,
    quietHours: null,
    escalateAfterMinutes: null,
    escalateToId: null,
    removedAt: null,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  };
}

function incident(change: Partial<Incident> = {}): Incident {
  return {
    merchantId: 'm1',
    id: 'i1',
    mode: 'live',
    kind: 'gateway_down',
    severity: 'critical',
    subject: 'a',
    facts: { of: 'gateway', gateway: 'Paystack', label: 'main', accountId: 'a', methods: [] },
    since: NOW,
    openedAt: NOW,
    closedAt: null,
    closedReason: null,
    absentSince: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    mutedUntil: null,
    updatedAt: NOW,
    ...change,
  };
}

function notification(channelId: string, change: Partial<IncidentNotification> = {}): IncidentNotification {
  const of = { merchantId: 'm1', notificationId: `n-${channelId}`, incidentId: 'i1', channelId } as const;
  return { ...of, event: 'opened', state: 'SENT', attempts: 1, createdAt: NOW, ...change };
}

const plan = (
  change: IncidentChange,
  channels: readonly ListedChannel[],
  more: { readonly notifications?: readonly IncidentNotification[] } = {},
) => planNotifications([change], { channels, mutes: [], notifications: [], now: NOW, ...more });
const channelsOf = (change: IncidentChange, channels: readonly ListedChannel[], more = {}) =>
  plan(change, channels, more).planned.map(({ channelId }) => channelId);
const opened = (change: Partial<Incident> = {}): IncidentChange => ({ incident: incident(change), event: 'opened' });

describe('an incident that opens', () => {
  test('is told of at channels of its merchant and of the workspace, by mode, kind and severity', () => {
    const channels = [
      channel('workspace'),
      channel('own', { merchantId: 'm1' }),
      channel('other merchant', { merchantId: 'm2' }),
      channel('off', { enabled: false }),
      channel('test', { modes: ['test'] }),
      channel('other kind', { kinds: ['backlog'] }),
      channel('this kind', { kinds: ['gateway_down'] }),
      channel('escalations', { escalationsOnly: true }),
    ];
    expect(channelsOf(opened(), channels)).toEqual(['workspace', 'own', 'this kind']);
    expect(channelsOf(opened({ severity: 'info' }), channels)).toEqual([]);
    expect(channelsOf(opened({ severity: 'info' }), [channel('all', { minSeverity: 'info' })])).toEqual(['all']);
  });

  test('of several merchants is told of at channels of each of them, and of no other', () => {
    const member = { accountId: 'a', gateway: 'Paystack', label: 'a', state: 'down', since: NOW.toISOString(), recovered: false };
    const members = [
      { ...member, merchantId: 'm1' },
      { ...member, merchantId: 'm2' },
    ];
    const outage = opened({ merchantId: NIL_ID, kind: 'correlated_outage', facts: { of: 'outage', methods: [], members } });
    const channels = ['m1', 'm2', 'm3'].map((merchantId) => channel(merchantId, { merchantId }));
    expect(channelsOf(outage, channels)).toEqual(['m1', 'm2']);
  });

  test('of the workspace itself is told of whatever the modes of its channels are', () => {
    const facts = { of: 'backlog', what: 'jobs', count: 1, oldestAt: NOW.toISOString() };
    const backlog = opened({ merchantId: NIL_ID, kind: 'backlog', facts });
    expect(channelsOf(backlog, [channel('test', { modes: ['test'] }), channel('m1', { merchantId: 'm1' })])).toEqual(['test']);
  });

  test('waits for others to go into the same message, and for the end of quiet hours', () => {
    const quietHours = { zone: 'UTC', from: 0, to: 23 * 60, criticalPasses: true };
    const channels = [channel('quick', { groupSeconds: 0 }), channel('grouped'), channel('quiet', { quietHours })];
    const times = (severity: 'critical' | 'warning') => plan(opened({ severity }), channels).planned.map(({ sendAt }) => sendAt);
    expect(times('critical')).toEqual([NOW, later(30_000), later(30_000)]);
    expect(times('warning')).toEqual([NOW, later(30_000), new Date('2026-11-20T23:00:00Z')]);
  });

  test('that is muted, or whose kind is, is logged and not sent', () => {
    const mute = { kind: 'gateway_down', mutedUntil: later(1) } as const;
    const inputs = { channels: [channel('a')], notifications: [], now: NOW };
    for (const merchantId of ['m1', NIL_ID]) {
      const { planned } = planNotifications([opened()], { ...inputs, mutes: [{ ...mute, merchantId }] });
      expect(planned).toMatchObject([{ sendAt: null, skipped: 'muted' }]);
    }
    const others = [
      { ...mute, merchantId: 'm2' },
      { ...mute, merchantId: 'm1', mutedUntil: NOW },
    ];
    expect(planNotifications([opened()], { ...inputs, mutes: others }).planned).toMatchObject([{ skipped: null }]);
  });
});

describe('what follows', () => {
  const channels = [channel('a'), channel('b'), channel('duty', { kind: 'pagerduty' })];

  test('an end is told of where the beginning was, and nowhere else', () => {
    const end: IncidentChange = { incident: incident({ closedAt: later(1), closedReason: 'ended' }), event: 'recovered' };
    expect(channelsOf(end, channels, { notifications: [notification('a'), notification('b', { state: 'SKIPPED' })] })).toEqual([
      'a',
    ]);
    expect(channelsOf(end, channels, { notifications: [notification('b', { event: 'escalated' })] })).toEqual(['b']);
    expect(channelsOf(end, channels, { notifications: [notification('a', { state: 'FAILED' })] })).toEqual([]);
  });

  test('a sign-in has no end to tell of', () => {
    const end: IncidentChange = { incident: incident({ kind: 'sign_in_from_new_place' }), event: 'recovered' };
    expect(channelsOf(end, channels, { notifications: [notification('a')] })).toEqual([]);
  });

  test('only PagerDuty is told that it was acknowledged or is part of another; what was not sent yet is not', () => {
    const all = [notification('a'), notification('duty')];
    expect(channelsOf({ incident: incident(), event: 'acknowledged' }, channels, { notifications: all })).toEqual(['duty']);
    const absorbed = plan({ incident: incident(), event: 'absorbed' }, channels, {
      notifications: [notification('a', { state: 'PENDING' }), notification('duty'), notification('b')],
    });
    expect(absorbed.planned.map(({ channelId }) => channelId)).toEqual(['duty']);
    expect(absorbed.skip.map(({ channelId }) => channelId)).toEqual(['a']);
  });
});

describe('escalation', () => {
  const channels = [channel('a', { escalateAfterMinutes: 15, escalateToId: 'boss' }), channel('boss', { escalationsOnly: true })];
  const due = (change: Partial<Incident>, own: readonly IncidentNotification[], minutes: number) =>
    planEscalations([incident(change)], { channels, mutes: [], notifications: own, now: later(minutes * 60_000) }).map(
      (one) => one.channelId,
    );

  test('notifies another channel of what was not acknowledged in time, once', () => {
    expect(due({}, [notification('a')], 14)).toEqual([]);
    expect(due({}, [notification('a')], 15)).toEqual(['boss']);
    expect(due({}, [notification('a', { state: 'FAILED' })], 15)).toEqual(['boss']);
    expect(due({}, [notification('a'), notification('boss', { event: 'escalated' })], 60)).toEqual([]);
  });

  test('leaves out what is acknowledged, closed, muted, or held back by quiet hours', () => {
    expect(due({ acknowledgedAt: NOW, acknowledgedBy: 'staff:ada' }, [notification('a')], 60)).toEqual([]);
    expect(due({ closedAt: NOW }, [notification('a')], 60)).toEqual([]);
    expect(due({ mutedUntil: later(7_200_000) }, [notification('a')], 60)).toEqual([]);
    expect(due({}, [notification('a', { state: 'PENDING', attempts: 0 })], 60)).toEqual([]);
    expect(due({}, [notification('a', { state: 'SKIPPED' })], 60)).toEqual([]);
  });
});

test('whatever happens to an incident, a channel is told of each event once, and of the end only after the beginning', () => {
  const happening = fc.constantFrom('opened', 'acknowledged', 'recovered', 'absorbed' as const);
  const channels = [
    channel('a'),
    channel('duty', { kind: 'pagerduty' }),
    channel('own', { merchantId: 'm1' }),
    channel('m2', { merchantId: 'm2' }),
  ];
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 8 }), fc.boolean(), (events, sent) => {
      const log: IncidentNotification[] = [];
      for (const event of ['opened' as const, ...events]) {
        const { planned } = planNotifications([{ incident: incident(), event }], {
          channels,
          mutes: [],
          notifications: log,
          now: NOW,
        });
        for (const one of planned) {
          // The database's unique key keeps the first.
          if (log.some(({ channelId, event: before }) => channelId === one.channelId && before === one.event)) continue;
          log.push(notification(one.channelId, { event: one.event, state: sent ? 'SENT' : 'PENDING' }));
        }
      }
      expect(log.map(({ channelId }) => channelId)).not.toContain('m2');
      for (const { channelId } of log) {
        expect(log.find((one) => one.channelId === channelId)?.event).toBe('opened');
      }
    }),
  );
});
