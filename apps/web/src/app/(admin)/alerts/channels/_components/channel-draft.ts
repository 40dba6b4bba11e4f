import * as z from 'zod/mini';
import { viewerZone } from '#/format/zone.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A channel as the page lists it. */
export type ChannelRow = RouterOutputs['alerts']['channels'][number];

/** The kind of a channel. */
export type ChannelKind = ChannelRow['kind'];

/** A channel as its form holds it: texts as they are typed. The server has the last word on all of them. */
export const channelSchema = z.object({
  kind: z.custom<ChannelKind>(),
  name: z.string(),
  /** Addresses, or PagerDuty's key; empty to keep the known one. */
  address: z.string(),
  eventsAddress: z.string(),
  modes: z.array(z.enum(['live', 'test'])),
  minSeverity: z.enum(['info', 'warning', 'critical']),
  kinds: z.array(z.custom<ChannelRow['kinds'][number]>()),
  quiet: z.enum(['none', 'critical', 'all']),
  quietFrom: z.string(),
  quietTo: z.string(),
  quietZone: z.string(),
  escalateTo: z.string(),
  escalateAfter: z.string(),
});
export type ChannelDraft = z.output<typeof channelSchema>;

/** The form of a channel, or of a new one, which is told of the mode in view. */
export function draftOf(known: ChannelRow | null, mode: 'test' | 'live'): ChannelDraft {
  const hours = known?.quietHours ?? null;
  return {
    kind: known?.kind ?? 'email',
    name: known?.name ?? '',
    address: '',
    eventsAddress: '',
    modes: [...(known?.modes ?? [mode])],
    minSeverity: known?.minSeverity ?? 'warning',
    kinds: [...(known?.kinds ?? [])],
    quiet: hours === null ? 'none' : hours.criticalPasses ? 'critical' : 'all',
    quietFrom: timeText(hours?.from ?? 22 * 60),
    quietTo: timeText(hours?.to ?? 7 * 60),
    quietZone: hours?.zone ?? viewerZone(),
    escalateTo: known?.escalation?.toChannelId ?? '',
    escalateAfter: String(known?.escalation?.afterMinutes ?? 15),
  };
}

/** The target that a form names. */
export function targetFrom({ kind, address, eventsAddress }: ChannelDraft) {
  const text = address.trim();
  if (kind === 'email') return { kind, to: text.split(/[\s,;]+/).filter((part) => part !== '') };
  if (kind === 'pagerduty') return { kind, routingKey: text, ...(eventsAddress.trim() !== '' && { url: eventsAddress.trim() }) };
  return { kind, url: text };
}

/** The settings that a form names. */
export function settingsFrom(draft: ChannelDraft) {
  const { name, modes, minSeverity, kinds, quiet, quietFrom, quietTo, quietZone, escalateTo, escalateAfter } = draft;
  return {
    name,
    modes,
    minSeverity,
    kinds,
    quietHours:
      quiet === 'none'
        ? null
        : { zone: quietZone, from: minuteOf(quietFrom), to: minuteOf(quietTo), criticalPasses: quiet === 'critical' },
    escalation: escalateTo === '' ? null : { afterMinutes: Number(escalateAfter), toChannelId: escalateTo },
  };
}

/** `22:00` */
function timeText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}
