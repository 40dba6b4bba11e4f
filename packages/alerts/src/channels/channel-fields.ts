import type { JsonValue } from '@switchyard/db';
import type { IncidentKind, IncidentSeverity, Mode, NotificationChannel } from '@switchyard/db/client';
import { z } from 'zod';
import { INCIDENT_KINDS, SEVERITIES } from '../findings/kinds.ts';
import { type QuietHours, quietHoursSchema, readQuietHours } from './quiet-hours.ts';

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
