'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { TimeField } from '#/components/date-field/date-field.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { CheckboxGroup, TextField } from '#/components/field/field.tsx';
import { NumberField } from '#/components/number-field/number-field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { Select } from '#/components/select/select.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { CHANNEL_WORDS } from '#/copy/alerts.ts';
import { viewerZone } from '#/format/zone.ts';
import { onlyChanged } from '#/forms/only-changed.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { type ChannelKind, type ChannelRow, draftOf, settingsFrom, targetFrom } from './channel-draft.ts';

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
  const [draft, setDraft] = useState(opened);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [secret, setSecret] = useState<string | null>(null);
  const create = useMutation(trpc.alerts.createChannel.mutationOptions());
  const update = useMutation(trpc.alerts.updateChannel.mutationOptions());
  const set = (change: Partial<typeof draft>) => {
    setDraft((before) => ({ ...before, ...change }));
    setProblems({});
  };
  const others = channels.filter(({ channelId }) => channelId !== known?.channelId);

  async function confirm() {
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
    if (outcome.kind === 'invalid') {
      setProblems(Object.fromEntries(outcome.problems.map(({ field, message }) => [field, message])));
      return;
    }
    if (outcome.kind === 'too_many') {
      setProblems({ name: `cannot be added: there may be at most ${outcome.most} channels` });
      return;
    }
    onDone();
    if (outcome.kind === 'created' && outcome.secret !== null) setSecret(outcome.secret);
    else onClose();
  }

  if (secret !== null) {
    return (
      <SecretDialog
        title={`Channel “${draft.name.trim()}” was added`}
        secret={secret}
        label="the signing secret"
        advice="Verify each message with it, as Standard Webhooks describes. Anyone who has it can pretend to be Switchyard."
        onClose={onClose}
      />
    );
  }
  const addressProblem = ['url', 'routingKey', 'to', 'to.0', 'to.1']
    .map((field) => problems[field])
    .find((one) => one !== undefined);
  const escalationProblem = problems['escalation.toChannelId'] ?? problems['escalation.afterMinutes'] ?? null;
  return (
    <Dialog
      title={known === null ? 'Add a channel' : `Edit “${known.name}”`}
      dirty={Object.keys(onlyChanged(opened, draft)).length > 0}
      onClose={onClose}
    >
      <form
        style={{ display: 'contents' }}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void confirm().catch(() => undefined);
        }}
      >
        {known === null && <RadioGroup label="Kind" choices={KINDS} value={draft.kind} onChange={(kind) => set({ kind })} />}
        <TextField
          label="Name"
          value={draft.name}
          maxLength={80}
          error={problems.name ?? null}
          placeholder="Operations on call"
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <TextField
          label={ADDRESS_LABELS[draft.kind]}
          value={draft.address}
          error={addressProblem ?? null}
          description={
            known === null
              ? draft.kind === 'email'
                ? 'Separate several addresses with commas.'
                : 'Stored encrypted and not shown again.'
              : `It is ${known.targetHint}. Leave this empty to keep it.`
          }
          onChange={(event) => set({ address: event.currentTarget.value })}
        />
        {draft.kind === 'pagerduty' && (
          <TextField
            label="Address for events"
            value={draft.eventsAddress}
            placeholder="https://events.pagerduty.com/v2/enqueue"
            description="Only for another region."
            onChange={(event) => set({ eventsAddress: event.currentTarget.value })}
          />
        )}
        <CheckboxGroup
          label="Modes"
          choices={MODES}
          values={draft.modes}
          error={problems.modes ?? null}
          onChange={(modes) => set({ modes })}
        />
        <RadioGroup
          label="Severity"
          choices={SEVERITIES}
          value={draft.minSeverity}
          onChange={(minSeverity) => set({ minSeverity })}
        />
        <CheckboxGroup
          label="Kinds of alerts (none selected: all)"
          choices={(kinds ?? []).map(({ kind, title }) => ({ value: kind, label: title }))}
          values={draft.kinds}
          onChange={(chosen) => set({ kinds: chosen })}
        />
        <RadioGroup label="When" choices={QUIET} value={draft.quiet} onChange={(quiet) => set({ quiet })} />
        {draft.quiet !== 'none' && (
          <>
            <TimeField label="Quiet from" value={draft.quietFrom} onChange={(quietFrom) => set({ quietFrom })} />
            <TimeField
              label="Quiet to"
              value={draft.quietTo}
              description={`Time zone: ${draft.quietZone === '' ? viewerZone() : draft.quietZone}`}
              onChange={(quietTo) => set({ quietTo })}
            />
          </>
        )}
        {others.length > 0 && (
          <>
            <Select
              label="Escalates without an acknowledgement to"
              options={[
                { value: '', label: 'No channel' },
                ...others.map(({ channelId, name }) => ({ value: channelId, label: name })),
              ]}
              value={draft.escalateTo}
              error={escalationProblem}
              onChange={(escalateTo) => set({ escalateTo })}
            />
            {draft.escalateTo !== '' && (
              <NumberField
                label="Escalates after"
                unit="minutes"
                min={1}
                value={draft.escalateAfter}
                onChange={(escalateAfter) => set({ escalateAfter })}
              />
            )}
          </>
        )}
        <Refusal message={create.error?.message ?? update.error?.message ?? null} />
        <DialogActions onCancel={onClose}>
          <Button variant="accent" type="submit" loading={create.isPending || update.isPending}>
            {known === null ? 'Add channel' : 'Save channel'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
