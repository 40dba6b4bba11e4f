'use client';

import { overrideReason } from '@switchyard/api/entered-fields';
import { methodWord, type PaymentMethod } from '@switchyard/routing';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { serverNow } from '../clock/server-clock.ts';
import { Button } from '../components/button/button.tsx';
import { showToast } from '../components/toasts/toast-store.ts';
import { methodTitle } from '../copy/gateways.ts';
import { OVERRIDE_LABELS, type OverrideAction } from '../copy/health.ts';
import { momentIn } from '../format/calendar.ts';
import { dayAndClockOf } from '../format/moments.ts';
import { viewerZone } from '../format/zone.ts';
import { FormDialog } from '../forms/form-dialog.tsx';
import { useForm } from '../forms/use-form.ts';
import { useScope } from '../scope/use-scope.ts';
import { useTRPC } from '../trpc/client.tsx';
import { Impact, PUT_BACK } from './impact.tsx';
import type { DrainedAccount } from './use-drain-end.ts';
import { nameAccount, useOverrides } from './use-overrides.ts';

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
    onDone: onClose,
  });
  const { action, starts, ends } = form.entered;
  const method = methodOf(form.entered.method);
  const whose = method === null ? label : `${label}, ${methodWord(method)}`;
  const times = readTimes(form.entered, viewerZone(), new Date(serverNow()));
  const startsAt = times.ok ? times.startsAt : null;
  const replaced = starts === 'now' ? overrides.find((override) => override.method === method) : undefined;

  return (
    <FormDialog
      title={isWhole ? `Override ${name}` : `Drain ${name}?`}
      form={form}
      action={`${starts === 'at' ? `Plan ${OVERRIDE_LABELS[action].verb.toLowerCase()}:` : OVERRIDE_LABELS[action].verb} ${whose}`}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}

/** The option of a method, or of all of them, whose method is null. */
function optionOf(method: string | null): string {
  return method ?? 'ALL';
}

/** The payments that depend on an account: those of the last 24 hours, and the methods that no other account takes. */
interface AccountUse {
  readonly payments: number;
  readonly onlyFor: readonly PaymentMethod[];
}

/** Effect of an override on payments, in figures. `from` is the start of a planned one: `From 25 Nov, 02:00`. */
function describeImpact(action: OverrideAction, use: AccountUse | undefined, method: string, from: string | null): string {
  if (use === undefined) return 'Counting the payments that go there…';
  const figure = `${use.payments.toLocaleString('en')} ${use.payments === 1 ? 'payment' : 'payments'}`;
  const past = `${figure} went there in the last 24 hours.`;
  const begin = from === null ? 'New' : `${from}, new`;
  if (action === 'force') return `${past} ${begin} payments by ${method} try this account first, even while it is down.`;
  const moved = `${past} ${begin} payments by ${method} go to the next account of their rule; open checkouts can still be paid.`;
  if (use.onlyFor.length === 0) return moved;
  const alone = use.onlyFor.map((word) => methodWord(word)).join(', ');
  return `${moved} No other account takes ${alone}: those payments would fail.`;
}

/** When an override ends: a time after its start in minutes, at a moment, or never by itself. */
const ENDS = [
  { value: '30', label: 'After 30 minutes' },
  { value: '120', label: 'After 2 hours' },
  { value: '480', label: 'After 8 hours' },
  { value: '1440', label: 'After 24 hours' },
  { value: 'at', label: 'At a date and time' },
  { value: 'never', label: 'Until it is ended' },
] as const;

/** See {@link ENDS}. */
type OverrideEnd = (typeof ENDS)[number]['value'];

/** The times of an override as they are typed: clock times such as `2026-11-23T14:30`, or empty. */
export interface OverrideTimes {
  readonly starts: 'now' | 'at';
  readonly startAt: string;
  readonly ends: OverrideEnd;
  readonly endAt: string;
}

/** The moments of an override, `startsAt` null for at once and `expiresAt` null for no end; or what is wrong with which of them. */
type ReadTimes =
  | { readonly ok: true; readonly startsAt: Date | null; readonly expiresAt: Date | null }
  | { readonly ok: false; readonly field: 'startAt' | 'endAt'; readonly problem: string };

/** Reads the typed times by the clocks of a zone. */
export function readTimes({ starts, startAt, ends, endAt }: OverrideTimes, zone: string, now: Date): ReadTimes {
  const startsAt = starts === 'now' ? null : momentOf(startAt, zone);
  if (starts === 'at' && startsAt === null) return { ok: false, field: 'startAt', problem: 'must be a date and a time' };
  if (startsAt !== null && startsAt <= now) return { ok: false, field: 'startAt', problem: 'must lie in the future' };
  const begin = startsAt ?? now;
  switch (ends) {
    case 'never':
      return { ok: true, startsAt, expiresAt: null };
    case 'at': {
      const expiresAt = momentOf(endAt, zone);
      if (expiresAt === null) return { ok: false, field: 'endAt', problem: 'must be a date and a time' };
      if (expiresAt <= begin) return { ok: false, field: 'endAt', problem: 'must lie after the start' };
      return { ok: true, startsAt, expiresAt };
    }
    case '30':
    case '120':
    case '480':
    case '1440':
      return { ok: true, startsAt, expiresAt: new Date(begin.getTime() + Number(ends) * 60_000) };
    default:
      return ends satisfies never;
  }
}

/** Fields of an override as entered, read into its command by the clocks of a zone. */
function overrideSchema(zone: string) {
  return z.pipe(
    z.object({
      action: z.enum(['drain', 'disable', 'force']),
      method: z.string(),
      starts: z.enum(['now', 'at']),
      startAt: z.string(),
      ends: z.enum(['30', '120', '480', '1440', 'at', 'never']),
      endAt: z.string(),
      reason: overrideReason,
      putBack: z.boolean(),
    }),
    z.transform(({ action, method, reason, putBack, ...typed }, context) => {
      const times = readTimes(typed, zone, new Date(serverNow()));
      if (times.ok) {
        // An account that is tried first is not out, so that nothing can be put back.
        const isPutBack = putBack && action !== 'force';
        return { action, method, reason, startsAt: times.startsAt, expiresAt: times.expiresAt, putBack: isPutBack };
      }
      context.issues.push({ code: 'custom', path: [times.field], message: times.problem, input: typed[times.field] });
      return z.NEVER;
    }),
  );
}

/** Fields of an override as they are entered. */
type OverrideDraft = z.input<ReturnType<typeof overrideSchema>>;

function momentOf(clock: string, zone: string): Date | null {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(clock) ? momentIn(zone, clock) : null;
}
