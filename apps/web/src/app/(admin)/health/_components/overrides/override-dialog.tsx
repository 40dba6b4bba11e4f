'use client';

import { methodWord } from '@switchyard/routing';
import { useQuery } from '@tanstack/react-query';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { methodTitle } from '#/copy/gateways.ts';
import { OVERRIDE_LABELS } from '#/copy/health.ts';
import { viewerZone } from '#/format/zone.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { describeImpact } from '#/overrides/describe-impact.ts';
import { Impact } from '#/overrides/impact.tsx';
import { nameAccount } from '#/overrides/name-account.ts';
import { useOverrides } from '#/overrides/use-overrides.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { dayAndClockOf } from '../clock.ts';
import type { AccountOverview } from '../use-health.ts';
import { ENDS, overrideSchema, readTimes } from './override-draft.ts';

const ACTIONS = (['drain', 'disable', 'force'] as const).map((value) => ({ value, label: OVERRIDE_LABELS[value].verb }));

const STARTS = [
  { value: 'now', label: 'Now' },
  { value: 'at', label: 'Schedule' },
] as const;

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
  const { data: use } = useQuery(trpc.gateways.usage.queryOptions({ accountId: account.accountId }));
  const { set, end } = useOverrides();
  const name = nameAccount(account, useScope());
  const { merchantId, accountId, label } = account;
  const methods = account.health.map((health) => health.method);
  const methodOf = (option: string) => methods.find((method) => optionOf(method) === option) ?? null;
  const form = useForm({
    schema: overrideSchema(viewerZone()),
    values: {
      action: 'drain',
      method: optionOf(methods.find((method) => method === opened) ?? null),
      starts: 'now',
      startAt: '',
      ends: '120',
      endAt: '',
      reason: '',
    },
    aliases: { startsAt: 'startAt', expiresAt: 'endAt' },
    async onSubmit({ method: option, ...command }) {
      const outcome = await set.mutateAsync({ merchantId, accountId, method: methodOf(option), ...command });
      if (outcome.kind === 'invalid') return outcome.problems;
      onClose();
      if (outcome.kind === 'not_found') {
        showToast({ text: `${label} does not exist any more.`, tone: 'bad' });
        return null;
      }
      const { past, verb } = OVERRIDE_LABELS[command.action];
      const { startsAt: begin } = command;
      showToast({
        text: begin === null ? `${past}: ${whose}.` : `${verb} planned for ${dayAndClockOf(begin)}: ${whose}.`,
        subject: outcome.override.id,
        action: { label: 'Undo', run: () => end.mutateAsync({ merchantId, overrideId: outcome.override.id }) },
      });
      return null;
    },
  });
  const { action, starts, ends } = form.entered;
  const method = methodOf(form.entered.method);
  const whose = `${label}, ${methodWord(method)}`;
  const times = readTimes(form.entered, viewerZone(), new Date());
  const startsAt = times.ok ? times.startsAt : null;
  const replaced = starts === 'now' ? account.overrides.find((override) => override.method === method) : undefined;

  return (
    <Dialog title={`Override ${name}`} onClose={onClose}>
      <Form form={form}>
        <div className="grid gap-1.5 justify-items-start">
          <form.Segmented name="action" label="Action" choices={ACTIONS} />
          <p className="text-ink-quiet text-xs">{OVERRIDE_LABELS[action].means}</p>
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(200px,1fr))] gap-4">
          <form.Select
            name="method"
            label="Method"
            options={methods.map((each) => ({
              value: optionOf(each),
              label: each === null ? 'All methods' : methodTitle(each),
            }))}
          />
          <form.Select name="ends" label="Ends" options={ENDS} />
        </div>
        {ends === 'at' && <form.DateTime name="endAt" label="End" />}
        <div className="grid gap-1.5 justify-items-start">
          <span className="text-sm font-medium" aria-hidden="true">
            Starts
          </span>
          <form.Segmented name="starts" label="Starts" choices={STARTS} />
        </div>
        {starts === 'at' && <form.DateTime name="startAt" label="Start" />}
        <form.Text
          name="reason"
          label="Reason"
          maxLength={500}
          description="Shown in the routing record of each payment it affects."
          placeholder="Settlement is late, gateway informed"
        />
        <Impact>
          {describeImpact(action, use, methodWord(method), startsAt === null ? null : `From ${dayAndClockOf(startsAt)}`)}
          {replaced !== undefined && ` Replaces the current override: ${OVERRIDE_LABELS[replaced.action].past.toLowerCase()}.`}
        </Impact>
        <FormActions
          action={`${starts === 'at' ? `Plan ${OVERRIDE_LABELS[action].verb.toLowerCase()}:` : OVERRIDE_LABELS[action].verb} ${whose}`}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** The option of a method, or of all of them, whose method is null. */
function optionOf(method: string | null): string {
  return method ?? 'ALL';
}
