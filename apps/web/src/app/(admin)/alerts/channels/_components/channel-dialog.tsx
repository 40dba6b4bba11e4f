'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { CHANNEL_WORDS } from '#/copy/alerts.ts';
import { viewerZone } from '#/format/zone.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { onlyChanged } from '#/forms/problems.ts';
import { useForm } from '#/forms/use-form.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

const KINDS = (['email', 'slack', 'teams', 'pagerduty', 'webhook'] as const).map((value) => ({
  value,
  label: CHANNEL_WORDS[value],
}));
const MODES = [
  { value: 'live', label: 'Live' },
  { value: 'test', label: 'Test' },
] as const;
const SEVERITIES = [
  { value: 'warning', label: 'Warnings and critical alerts' },
  { value: 'critical', label: 'Critical alerts only' },
  { value: 'info', label: 'Everything' },
] as const;
const QUIET = [
  { value: 'none', label: 'At any time' },
  { value: 'critical', label: 'Quiet hours, except for critical alerts' },
  { value: 'all', label: 'Quiet hours for everything' },
] as const;
const ADDRESS_LABELS: Readonly<Record<ChannelKind, string>> = {
  email: 'E-mail addresses',
  slack: 'Address of the incoming webhook',
  teams: 'Address of the workflow',
  pagerduty: 'Integration key',
  webhook: 'Address',
};

/** The server's names of what is entered in these fields. */
const ALIASES = {
  url: 'address',
  routingKey: 'address',
  to: 'address',
  escalation: 'escalateTo',
  'escalation.afterMinutes': 'escalateAfter',
};

/** Adds a channel, or changes one: an address is entered again only to replace it. */
export function ChannelDialog({
  known,
  channels,
  onDone,
  onClose,
}: {
  known: ChannelRow | null;
  channels: readonly ChannelRow[];
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { merchantId, mode } = useScope();
  const { data: kinds } = useQuery(trpc.alerts.kinds.queryOptions(undefined, { staleTime: 600_000 }));
  const [opened] = useState(() => draftOf(known, mode));
  const [added, setAdded] = useState<{ name: string; secret: string } | null>(null);
  const create = useMutation(trpc.alerts.createChannel.mutationOptions());
  const update = useMutation(trpc.alerts.updateChannel.mutationOptions());
  const form = useForm({
    schema: channelSchema,
    values: opened,
    aliases: ALIASES,
    async onSubmit(draft) {
      const settings = settingsFrom(draft);
      const target = targetFrom(draft);
      const outcome =
        known === null
          ? await create.mutateAsync({ merchantId, target, settings })
          : await update.mutateAsync({
              merchantId: known.merchantId,
              channelId: known.channelId,
              settings: onlyChanged(settingsFrom(opened), settings),
              ...(draft.address.trim() !== '' && { target }),
            });
      if (outcome.kind === 'invalid') return outcome.problems;
      if (outcome.kind === 'too_many') {
        return [{ field: 'name', message: `cannot be added: there may be at most ${outcome.limit} channels` }];
      }
      onDone();
      if (outcome.kind === 'created' && outcome.secret !== null) {
        setAdded({ name: draft.name.trim(), secret: outcome.secret });
      } else onClose();
      return null;
    },
  });
  const draft = form.entered;
  const others = channels.filter(({ channelId }) => channelId !== known?.channelId);

  if (added !== null) {
    return (
      <SecretDialog
        title={`Channel “${added.name}” was added`}
        secret={added.secret}
        label="the signing secret"
        advice="Verify each message with it, as Standard Webhooks describes. Anyone who has it can pretend to be Switchyard."
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title={known === null ? 'Add a channel' : `Edit “${known.name}”`}
      form={form}
      action={known === null ? 'Add channel' : 'Save channel'}
      onClose={onClose}
    >
      {known === null && <form.Radio name="kind" label="Type" choices={KINDS} />}
      <form.Text name="name" label="Name" maxLength={80} placeholder="Operations on call" />
      <form.Text
        name="address"
        label={ADDRESS_LABELS[draft.kind]}
        description={
          known === null
            ? draft.kind === 'email'
              ? 'Separate addresses with commas.'
              : 'Stored encrypted and not shown again.'
            : `It is ${known.targetHint}. Leave this empty to keep it.`
        }
      />
      {draft.kind === 'pagerduty' && (
        <form.Text
          name="eventsAddress"
          label="Address for events"
          placeholder="https://events.pagerduty.com/v2/enqueue"
          description="Only for another region."
        />
      )}
      <form.Checkboxes name="modes" label="Modes" choices={MODES} />
      <form.Radio name="minSeverity" label="Severity" choices={SEVERITIES} />
      <form.Checkboxes
        name="kinds"
        label="Alert types (none selected: all)"
        choices={(kinds ?? []).map(({ kind, title }) => ({ value: kind, label: title }))}
      />
      <form.Radio name="quiet" label="When" choices={QUIET} />
      {draft.quiet !== 'none' && (
        <>
          <form.Time name="quietFrom" label="Quiet from" />
          <form.Time
            name="quietTo"
            label="Quiet to"
            description={`Time zone: ${draft.quietZone === '' ? viewerZone() : draft.quietZone}`}
          />
        </>
      )}
      {others.length > 0 && (
        <>
          <form.Select
            name="escalateTo"
            label="Escalates without an acknowledgement to"
            options={[
              { value: '', label: 'No channel' },
              ...others.map(({ channelId, name }) => ({ value: channelId, label: name })),
            ]}
          />
          {draft.escalateTo !== '' && <form.Number name="escalateAfter" label="Escalates after" unit="minutes" min={1} />}
        </>
      )}
    </FormDialog>
  );
}

/** A channel as the page lists it. */
export type ChannelRow = RouterOutputs['alerts']['channels'][number];

type ChannelKind = ChannelRow['kind'];

/** A channel as its form holds it: texts as they are typed. The server has the last word on all of them. */
const channelSchema = z.object({
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
type ChannelDraft = z.output<typeof channelSchema>;

/** The form of a channel, or of a new one, which is notified of the mode in view. */
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
