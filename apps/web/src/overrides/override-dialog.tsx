'use client';

import { methodWord, type PaymentMethod } from '@switchyard/routing';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button/button.tsx';
import { Dialog } from '../components/dialog/dialog.tsx';
import { showToast } from '../components/toasts/toast-store.ts';
import { methodTitle } from '../copy/gateways.ts';
import { OVERRIDE_LABELS, type OverrideAction } from '../copy/health.ts';
import { PUT_BACK } from '../copy/overrides.ts';
import { dayAndClockOf } from '../format/moments.ts';
import { viewerZone } from '../format/zone.ts';
import { Form, FormActions } from '../forms/form.tsx';
import { useForm } from '../forms/use-form.ts';
import { useScope } from '../scope/use-scope.ts';
import { useTRPC } from '../trpc/client.tsx';
import { describeImpact } from './describe-impact.ts';
import { Impact } from './impact.tsx';
import { nameAccount } from './name-account.ts';
import { ENDS, type OverrideDraft, overrideSchema, readTimes } from './override-draft.ts';
import type { DrainedAccount } from './use-drain-end.ts';
import { useOverrides } from './use-overrides.ts';

const ACTIONS = (['drain', 'disable', 'force'] as const).map((value) => ({ value, label: OVERRIDE_LABELS[value].verb }));

const STARTS = [
  { value: 'now', label: 'Now' },
  { value: 'at', label: 'Schedule' },
] as const;

/** An account to override. Where its methods are not known, only all of them together can be. */
export interface OverridableAccount extends DrainedAccount {
  readonly health?: readonly { readonly method: PaymentMethod | null }[];
  readonly overrides?: readonly { readonly method: string | null; readonly action: OverrideAction }[];
}

interface OverrideDialogProps {
  readonly account: OverridableAccount;
  /** The method that is chosen at first; null for all. */
  readonly method?: string | null;
  /** A reason to drain the account for, such as an outage: the dialog then begins with what is needed for that. */
  readonly reason?: string;
  /** The outage that it was opened for is over. */
  readonly isRecovered?: boolean;
  readonly onClose: () => void;
}

/** Sets an override on an account, at once or planned, with its impact in figures, a reason and an end. */
export function OverrideDialog({ account, method: opened = null, reason, isRecovered = false, onClose }: OverrideDialogProps) {
  const trpc = useTRPC();
  const { merchantId, accountId, label, health = [], overrides = [] } = account;
  const { data: use } = useQuery(trpc.gateways.usage.queryOptions({ accountId }));
  const { set, end } = useOverrides();
  const [isWhole, setIsWhole] = useState(reason === undefined);
  const name = nameAccount(account, useScope());
  const methods = health.length === 0 ? [null] : health.map(({ method }) => method);
  const methodOf = (option: string) => methods.find((method) => optionOf(method) === option) ?? null;
  const form = useForm({
    schema: overrideSchema(viewerZone()),
    // The outage may end, and propose another reason, while the dialog is open.
    values: useState<OverrideDraft>({
      action: 'drain',
      method: optionOf(methods.find((method) => method === opened) ?? null),
      starts: 'now',
      startAt: '',
      ends: '120',
      endAt: '',
      reason: reason ?? '',
      putBack: false,
    })[0],
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
  const whose = method === null ? label : `${label}, ${methodWord(method)}`;
  const times = readTimes(form.entered, viewerZone(), new Date());
  const startsAt = times.ok ? times.startsAt : null;
  const replaced = starts === 'now' ? overrides.find((override) => override.method === method) : undefined;

  return (
    <Dialog title={isWhole ? `Override ${name}` : `Drain ${name}?`} onClose={onClose}>
      <Form form={form}>
        {isRecovered && <p>{label} is not part of an outage any more.</p>}
        {isWhole && (
          <div className="grid gap-1.5 justify-items-start">
            <form.Segmented name="action" label="Action" choices={ACTIONS} />
            <p className="text-ink-quiet text-xs">{OVERRIDE_LABELS[action].means}</p>
          </div>
        )}
        <div className="grid grid-cols-[repeat(auto-fit,minmax(200px,1fr))] gap-4">
          {isWhole && methods.length > 1 && (
            <form.Select
              name="method"
              label="Method"
              options={methods.map((each) => ({
                value: optionOf(each),
                label: each === null ? 'All methods' : methodTitle(each),
              }))}
            />
          )}
          <form.Select name="ends" label="Ends" options={ENDS} />
        </div>
        {ends === 'at' && <form.DateTime name="endAt" label="End" />}
        {isWhole && (
          <div className="grid gap-1.5 justify-items-start">
            <span className="text-sm font-medium" aria-hidden="true">
              Starts
            </span>
            <form.Segmented name="starts" label="Starts" choices={STARTS} />
          </div>
        )}
        {starts === 'at' && <form.DateTime name="startAt" label="Start" />}
        <form.Text
          name="reason"
          label="Reason"
          maxLength={500}
          description="Shown in the routing record of each payment it affects."
          placeholder="Settlement is late, gateway informed"
        />
        {action !== 'force' && <form.Checkbox name="putBack" {...PUT_BACK} />}
        <Impact>
          {describeImpact(action, use, methodWord(method), startsAt === null ? null : `From ${dayAndClockOf(startsAt)}`)}
          {replaced !== undefined && ` Replaces the current override: ${OVERRIDE_LABELS[replaced.action].past.toLowerCase()}.`}
        </Impact>
        {!isWhole && (
          <p>
            <Button onClick={() => setIsWhole(true)}>More options</Button>
          </p>
        )}
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
