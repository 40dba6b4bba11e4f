import type { JsonValue } from '@switchyard/db';
import type { IncidentKind, IncidentSeverity, Mode, NotificationChannel } from '@switchyard/db/client';
import { z } from 'zod';
import { INCIDENT_KINDS, SEVERITIES } from '../kinds/kinds.ts';

const MINUTES_OF_DAY = 24 * 60;
const MINUTE_MS = 60_000;

const minuteOfDay = z
  .int('must be a time of day')
  .min(0, 'must be a time of day')
  .max(MINUTES_OF_DAY - 1, 'must be a time of day');

/** Hours in which a channel gets no messages. `from` and `to` are minutes of the day in the zone; over midnight where `from` is later. */
const quietHoursSchema = z.object({
  zone: z.string().refine(isZone, 'must be a time zone'),
  from: minuteOfDay,
  to: minuteOfDay,
  /** True if messages about critical incidents are sent all the same. */
  criticalPasses: z.boolean(),
});

/** See {@link quietHoursSchema}. */
export type QuietHours = z.output<typeof quietHoursSchema>;

/** When a message may be sent: now, or once the quiet hours are over. */
export function quietUntil(hours: QuietHours | null, isCritical: boolean, now: Date): Date {
  if (hours === null || (isCritical && hours.criticalPasses)) return now;
  const minute = minuteIn(hours.zone, now);
  const length = (hours.to - hours.from + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  const elapsed = (minute - hours.from + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  if (elapsed >= length) return now;
  // Over a change of the clocks this is off by it: what is due is looked at again before it is sent.
  const wholeMinute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  return new Date(wholeMinute + (length - elapsed) * MINUTE_MS);
}

/** Quiet hours as they were stored; null for none, and where they cannot be read. */
export function readQuietHours(stored: unknown): QuietHours | null {
  const parsed = quietHoursSchema.safeParse(stored);
  return parsed.success ? parsed.data : null;
}

function minuteIn(zone: string, at: Date): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const [hour = 0, minute = 0] = format.format(at).split(':').map(Number);
  return hour * 60 + minute;
}

function isZone(zone: string): boolean {
  return zone === 'UTC' || Intl.supportedValuesOf('timeZone').includes(zone);
}

/** The settings of a channel, beside its target. */
export interface ChannelSettings {
  readonly name: string;
  readonly modes: readonly Mode[];
  /** Empty for all. */
  readonly kinds: readonly IncidentKind[];
  readonly minSeverity: IncidentSeverity;
  readonly escalationsOnly: boolean;
  readonly groupSeconds: number;
  readonly quietHours: QuietHours | null;
  /** Null without escalation. */
  readonly escalation: { readonly afterMinutes: number; readonly toChannelId: string } | null;
}

/** Settings as they are entered; what is left out has the default: warnings and critical incidents of all types. */
export const settingsSchema = z.object({
  name: z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(80, 'must have at most 80 characters')
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters'),
  modes: z
    .array(z.enum(['test', 'live']))
    .min(1, 'must name a mode')
    .default(['live']),
  kinds: z.array(z.enum(INCIDENT_KINDS, 'must be an alert type')).max(INCIDENT_KINDS.length).default([]),
  minSeverity: z.enum(SEVERITIES).default('warning'),
  escalationsOnly: z.boolean().default(false),
  groupSeconds: z
    .int('must be a number of seconds')
    .min(0, 'must be from 0 to 600')
    .max(600, 'must be from 0 to 600')
    .default(30),
  quietHours: quietHoursSchema.nullable().default(null),
  escalation: z
    .object({
      afterMinutes: z.int('must be a number of minutes').min(1, 'must be from 1 to 1440').max(1_440, 'must be from 1 to 1440'),
      toChannelId: z.uuid('must be a channel').toLowerCase(),
    })
    .nullable()
    .default(null),
});

/** A channel without its target. */
export type ListedChannel = Omit<NotificationChannel, 'target'>;

/** The settings of a stored channel. */
export function settingsOf(channel: ListedChannel): ChannelSettings {
  const { name, modes, kinds, minSeverity, escalationsOnly, groupSeconds, escalateAfterMinutes, escalateToId } = channel;
  return {
    name,
    modes,
    kinds,
    minSeverity,
    escalationsOnly,
    groupSeconds,
    quietHours: readQuietHours(channel.quietHours),
    escalation:
      escalateAfterMinutes === null || escalateToId === null
        ? null
        : { afterMinutes: escalateAfterMinutes, toChannelId: escalateToId },
  };
}

/** A channel as the audit log shows it: its target only by its hint. */
export function channelForAudit(channel: ListedChannel): JsonValue {
  const { kind, targetHint, enabled } = channel;
  const { quietHours, escalation, ...settings } = settingsOf(channel);
  return {
    kind,
    target: targetHint,
    enabled,
    ...settings,
    quietHours: quietHours && { ...quietHours },
    escalation: escalation && { ...escalation },
  };
}
