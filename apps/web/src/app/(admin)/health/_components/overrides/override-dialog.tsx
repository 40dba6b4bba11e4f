'use client';

import { methodWord } from '@switchyard/routing';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { DateTimeField } from '#/components/date-field/date-field.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { TextField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { Select } from '#/components/select/select.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { methodTitle } from '#/copy/gateways.ts';
import { OVERRIDE_LABELS, type OverrideAction } from '#/copy/health.ts';
import { viewerZone } from '#/format/zone.ts';
import { describeImpact } from '#/overrides/describe-impact.ts';
import { Impact } from '#/overrides/impact.tsx';
import { nameAccount } from '#/overrides/name-account.ts';
import { useOverrides } from '#/overrides/use-overrides.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { dayAndClockOf } from '../clock.ts';
import type { AccountOverview } from '../use-health.ts';
import { ENDS, type OverrideTimes, readTimes } from './override-draft.ts';

const ACTIONS = (['drain', 'disable', 'force'] as const).map((value) => ({ value, label: OVERRIDE_LABELS[value].verb }));

const STARTS = [
  { value: 'now', label: 'Now' },
  { value: 'at', label: 'Schedule' },
] as const;

type Problems = Readonly<Partial<Record<string, string>>>;

/** Sets an override on an account, at once or planned, with its impact in figures, a reason and an end. */
export function OverrideDialog({
  account,
  method: opened,
  onClose,
}: {
  account: AccountOverview;
  method: string | null;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const [action, setAction] = useState<OverrideAction>('drain');
  const [method, setMethod] = useState(account.health.find((health) => health.method === opened)?.method ?? null);
  const [times, setTimes] = useState<OverrideTimes>({ starts: 'now', startAt: '', ends: '120', endAt: '' });
  const [reason, setReason] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const { data: use } = useQuery(trpc.gateways.usage.queryOptions({ accountId: account.accountId }));
  const { set, end } = useOverrides();
  const name = nameAccount(account, useScope());
  const { merchantId, accountId, label } = account;
  const whose = `${label}, ${methodWord(method)}`;
  const read = readTimes(times, viewerZone(), new Date());
  const startsAt = read.ok ? read.startsAt : null;
  const replaced = times.starts === 'now' ? account.overrides.find((override) => override.method === method) : undefined;

  function change(next: Partial<OverrideTimes>) {
    setTimes({ ...times, ...next });
    setProblems({});
  }

  async function confirm() {
    if (reason.trim() === '') return setProblems({ reason: 'must not be empty' });
    const moments = readTimes(times, viewerZone(), new Date());
    if (!moments.ok) return setProblems({ [moments.field]: moments.problem });
    const { startsAt: begin, expiresAt } = moments;
    const command = { merchantId, accountId, method, action, reason: reason.trim(), startsAt: begin, expiresAt };
    const outcome = await set.mutateAsync(command);
    if (outcome.kind === 'invalid') {
      return setProblems(Object.fromEntries(outcome.problems.map(({ field, message }) => [field, message])));
    }
    onClose();
    if (outcome.kind === 'not_found') {
      showToast({ text: `${label} does not exist any more.`, tone: 'bad' });
      return;
    }
    const { past, verb } = OVERRIDE_LABELS[action];
    showToast({
      text: begin === null ? `${past}: ${whose}.` : `${verb} planned for ${dayAndClockOf(begin)}: ${whose}.`,
      subject: outcome.override.id,
      action: { label: 'Undo', run: () => end.mutateAsync({ merchantId, overrideId: outcome.override.id }) },
    });
  }

  return (
    <Dialog title={`Override ${name}`} dirty={reason !== ''} onClose={onClose}>
      <div className="grid gap-1.5 justify-items-start">
        <SegmentedControl label="Action" choices={ACTIONS} value={action} onChange={setAction} />
        <p className="text-ink-quiet text-xs">{OVERRIDE_LABELS[action].means}</p>
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(200px,1fr))] gap-4">
        <Select
          label="Method"
          options={account.health.map((health) => ({
            value: health.method ?? 'ALL',
            label: health.method === null ? 'All methods' : methodTitle(health.method),
          }))}
          value={method ?? 'ALL'}
          onChange={(value) => setMethod(account.health.find((health) => (health.method ?? 'ALL') === value)?.method ?? null)}
        />
        <Select label="Ends" options={ENDS} value={times.ends} onChange={(ends) => change({ ends })} />
      </div>
      {times.ends === 'at' && (
        <DateTimeField
          label="End"
          value={times.endAt}
          error={problems.expiresAt ?? null}
          onChange={(endAt) => change({ endAt })}
        />
      )}
      <div className="grid gap-1.5 justify-items-start">
        <span className="text-sm font-medium" aria-hidden="true">
          Starts
        </span>
        <SegmentedControl label="Starts" choices={STARTS} value={times.starts} onChange={(starts) => change({ starts })} />
      </div>
      {times.starts === 'at' && (
        <DateTimeField
          label="Start"
          value={times.startAt}
          error={problems.startsAt ?? null}
          onChange={(startAt) => change({ startAt })}
        />
      )}
      <TextField
        label="Reason"
        value={reason}
        maxLength={500}
        error={problems.reason ?? null}
        description="Shown in the routing record of each payment it affects."
        placeholder="Settlement is late, gateway informed"
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setProblems({});
        }}
        onBlur={() => reason.trim() === '' && setProblems({ reason: 'must not be empty' })}
      />
      <Impact>
        {describeImpact(action, use, methodWord(method), startsAt === null ? null : `From ${dayAndClockOf(startsAt)}`)}
        {replaced !== undefined && ` Replaces the current override: ${OVERRIDE_LABELS[replaced.action].past.toLowerCase()}.`}
      </Impact>
      <Refusal message={set.error?.message ?? null} />
      <DialogActions onCancel={onClose}>
        <Button variant="accent" onClick={() => void confirm().catch(() => undefined)} loading={set.isPending}>
          {times.starts === 'at' ? `Plan ${OVERRIDE_LABELS[action].verb.toLowerCase()}:` : OVERRIDE_LABELS[action].verb} {whose}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
