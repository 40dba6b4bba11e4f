import { NIL_ID } from '@switchyard/db';
import type { Incident, IncidentKind, NotificationEvent, NotificationState } from '@switchyard/db/client';
import { type ListedChannel, quietUntil, readQuietHours, settingsOf } from '../channels/channel-fields.ts';
import { INCIDENTS, isAtLeast, readFacts } from '../kinds/kinds.ts';

/** A change of an incident that channels may be notified of. */
export interface IncidentChange {
  readonly incident: Incident;
  readonly event: Extract<NotificationEvent, 'opened' | 'acknowledged' | 'recovered' | 'absorbed'>;
}

/** A notification that a channel was or will be sent about an incident. */
export interface IncidentNotification {
  readonly merchantId: string;
  readonly notificationId: string;
  readonly incidentId: string;
  readonly channelId: string;
  readonly event: NotificationEvent;
  readonly state: NotificationState;
  readonly attempts: number;
  readonly createdAt: Date;
}

/** A kind that is muted for a merchant, or for all with the nil UUID. */
export interface Mute {
  readonly merchantId: string;
  readonly kind: IncidentKind;
  readonly mutedUntil: Date;
}

/** A notification to write. */
export interface PlannedNotification {
  readonly merchantId: string;
  readonly incidentId: string;
  readonly channelMerchantId: string;
  readonly channelId: string;
  readonly event: NotificationEvent;
  /** When it may be sent; null for one that is not sent, with the reason. */
  readonly sendAt: Date | null;
  readonly skipped: 'muted' | null;
}

/** Inputs of planning messages. */
export interface PlanInputs {
  readonly channels: readonly ListedChannel[];
  readonly mutes: readonly Mute[];
  /** Notifications about the incidents in question. */
  readonly notifications: readonly IncidentNotification[];
  readonly now: Date;
}

/** Notifications to store for a change. */
export interface NotificationPlan {
  readonly planned: readonly PlannedNotification[];
  /** Notifications not sent yet that need not be sent any more. */
  readonly skip: readonly IncidentNotification[];
}

/**
 * Plans who is notified of changes of incidents. Guarantees: at most one notification per incident, channel and event; a channel that got
 * the message of an incident's beginning gets the one of its end, and no other does; an incident that another one covers sends no more.
 */
export function planNotifications(changes: readonly IncidentChange[], inputs: PlanInputs): NotificationPlan {
  const plans = changes.map((change) =>
    change.event === 'opened' ? planOpened(change.incident, inputs) : planFollowing(change, inputs),
  );
  return { planned: plans.flatMap(({ planned }) => planned), skip: plans.flatMap(({ skip }) => skip) };
}

/** Escalations that are due: open incidents that were not acknowledged in the time that a channel allows. */
export function planEscalations(
  incidents: readonly Incident[],
  { channels, mutes, notifications, now }: PlanInputs,
): PlannedNotification[] {
  const byId = new Map(channels.map((channel) => [channel.id, channel]));
  return incidents.flatMap((incident) => {
    if (incident.closedAt !== null || incident.acknowledgedAt !== null || isMuted(incident, mutes, now)) return [];
    const own = notifications.filter(({ incidentId }) => incidentId === incident.id);
    const due = own.flatMap((opened) => {
      const channel = byId.get(opened.channelId);
      const escalation = channel === undefined ? null : settingsOf(channel).escalation;
      // Suppressed by quiet hours: its people know of nothing yet, so they cannot be late.
      const isHeld = opened.state === 'PENDING' && opened.attempts === 0;
      if (opened.event !== 'opened' || opened.state === 'SKIPPED' || isHeld || !channel?.enabled || escalation === null)
        return [];
      const isDue = now.getTime() - opened.createdAt.getTime() >= escalation.afterMinutes * 60_000;
      const target = byId.get(escalation.toChannelId);
      return isDue && target?.enabled ? [target] : [];
    });
    return [...new Set(due)]
      .filter((target) => !own.some(({ channelId, event }) => channelId === target.id && event === 'escalated'))
      .map((target) => notificationTo(target, incident, 'escalated', sendAt(target, incident, 0, now)));
  });
}

/** True if a channel is notified when an incident opens. */
export function isSubscribed(channel: ListedChannel, incident: Incident): boolean {
  const { modes, kinds, minSeverity, escalationsOnly } = channel;
  if (!channel.enabled || escalationsOnly || !isAtLeast(incident.severity, minSeverity)) return false;
  if (kinds.length > 0 && !kinds.includes(incident.kind)) return false;
  const facts = readFacts(incident.facts);
  // An incident of the workspace itself has no mode.
  if (!modes.includes(incident.mode) && !(incident.merchantId === NIL_ID && facts.of !== 'outage')) return false;
  if (channel.merchantId === NIL_ID || channel.merchantId === incident.merchantId) return true;
  return (
    incident.merchantId === NIL_ID && facts.of === 'outage' && facts.members.some((one) => one.merchantId === channel.merchantId)
  );
}

/** True if an incident sends no messages now. */
export function isMuted(incident: Incident, mutes: readonly Mute[], now: Date): boolean {
  if (incident.mutedUntil !== null && incident.mutedUntil > now) return true;
  return mutes.some(({ merchantId, kind, mutedUntil }) => {
    return kind === incident.kind && mutedUntil > now && (merchantId === NIL_ID || merchantId === incident.merchantId);
  });
}

function planOpened(incident: Incident, { channels, mutes, now }: PlanInputs): NotificationPlan {
  const muted = isMuted(incident, mutes, now);
  const planned = channels
    .filter((channel) => isSubscribed(channel, incident))
    .map((channel) => {
      const notification = notificationTo(channel, incident, 'opened', sendAt(channel, incident, channel.groupSeconds, now));
      return muted ? { ...notification, sendAt: null, skipped: 'muted' as const } : notification;
    });
  return { planned, skip: [] };
}

function planFollowing({ incident, event }: IncidentChange, { channels, notifications, now }: PlanInputs): NotificationPlan {
  const begun = notifications.filter((one) => {
    const isBegin = one.event === 'opened' || one.event === 'escalated';
    return one.incidentId === incident.id && isBegin && (one.state === 'PENDING' || one.state === 'SENT');
  });
  const skip = event === 'absorbed' ? begun.filter(({ state }) => state === 'PENDING') : [];
  const notifiedChannels = new Set(begun.filter((one) => !skip.includes(one)).map(({ channelId }) => channelId));
  const planned = channels
    .filter(({ id }) => notifiedChannels.has(id))
    .filter((channel) => isNotifiedOf(channel, incident, event))
    .map((channel) => {
      const groupSeconds = event === 'recovered' ? channel.groupSeconds : 0;
      return notificationTo(channel, incident, event, sendAt(channel, incident, groupSeconds, now));
    });
  return { planned, skip };
}

/** Only PagerDuty keeps incidents open itself: it has to know who acknowledged one, and that one is part of another. */
function isNotifiedOf(channel: ListedChannel, incident: Incident, event: IncidentChange['event']): boolean {
  switch (event) {
    case 'opened':
      return true;
    case 'recovered':
      return INCIDENTS[incident.kind].sendsRecovery || channel.kind === 'pagerduty';
    case 'acknowledged':
    case 'absorbed':
      return channel.kind === 'pagerduty';
    default:
      return event satisfies never;
  }
}

function sendAt({ quietHours }: ListedChannel, { severity }: Incident, groupSeconds: number, now: Date): Date {
  const grouped = new Date(now.getTime() + groupSeconds * 1_000);
  return quietUntil(readQuietHours(quietHours), severity === 'critical', grouped);
}

function notificationTo(channel: ListedChannel, incident: Incident, event: NotificationEvent, at: Date): PlannedNotification {
  const { id: incidentId, merchantId } = incident;
  return {
    merchantId,
    incidentId,
    channelMerchantId: channel.merchantId,
    channelId: channel.id,
    event,
    sendAt: at,
    skipped: null,
  };
}
