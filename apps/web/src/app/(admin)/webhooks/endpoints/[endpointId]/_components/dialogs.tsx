'use client';

import { skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { EndpointRow } from '#/app/(admin)/webhooks/_components/endpoint-badge.tsx';
import {
  AddressFields,
  EventFields,
  endpointSchema,
  SecretField,
  settingsOf,
} from '#/app/(admin)/webhooks/_components/endpoint-form.tsx';
import { serverNow } from '#/clock/server-clock.ts';
import { Refusal } from '#/components/page/refusal.tsx';
import { SecretDialog } from '#/components/shown-once/secret-dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { formatOf } from '#/copy/webhooks.ts';
import { clockIn, isMoment, momentIn } from '#/format/calendar.ts';
import { viewerZone } from '#/format/zone.ts';
import { ConfirmDialog, FormDialog } from '#/forms/form-dialog.tsx';
import { onlyChanged } from '#/forms/problems.ts';
import { useForm } from '#/forms/use-form.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterInputs } from '#/trpc/outputs.ts';

/** Properties of every dialog about an endpoint. */
interface EndpointDialogProps {
  readonly endpoint: EndpointRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Changes an endpoint's URL and event types; can be undone. */
export function EditDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const trpc = useTRPC();
  const { merchantId, endpointId, url, traffic } = endpoint;
  // Values it was opened with: only what differs from it is sent.
  const [stored] = useState(() => ({
    url,
    description: endpoint.description,
    events: endpoint.types.length === 0 ? ('usual' as const) : ('some' as const),
    types: [...endpoint.types],
  }));
  const update = useMutation(trpc.webhooks.update.mutationOptions());
  const form = useForm({
    schema: endpointSchema,
    values: stored,
    async onSubmit(settings) {
      const before = settingsOf(stored);
      const outcome = await update.mutateAsync({ merchantId, endpointId, changes: onlyChanged(before, settings) });
      if (outcome.kind === 'invalid') return outcome.problems;
      onDone();
      showToast({
        text: 'The endpoint was changed.',
        action: {
          label: 'Undo',
          run: async () => {
            await update.mutateAsync({ merchantId, endpointId, changes: onlyChanged(settings, before) });
            onDone();
          },
        },
      });
      return null;
    },
    onDone: onClose,
  });
  return (
    <FormDialog title="Edit endpoint" form={form} action="Save" onClose={onClose}>
      <AddressFields form={form} />
      <EventFields form={form} format={formatOf(endpoint.format)} events={form.entered.events} />
      {form.entered.url.trim() !== url && traffic.waiting > 0 && (
        <p className="py-2.5 px-3 border-l-3 border-l-wait bg-wait-soft text-sm">
          {traffic.waiting.toLocaleString('en')} {traffic.waiting === 1 ? 'event waits' : 'events wait'}; they go to the new
          address.
        </p>
      )}
    </FormDialog>
  );
}

/** Confirmation before an endpoint is disabled. */
export function DisableDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const trpc = useTRPC();
  const { merchantId, endpointId, url, traffic } = endpoint;
  const off = useMutation(trpc.webhooks.disable.mutationOptions());
  const on = useMutation(trpc.webhooks.enable.mutationOptions());

  async function confirm() {
    await off.mutateAsync({ merchantId, endpointId });
    onDone();
    showToast({
      text: `${url} was disabled.`,
      action: {
        label: 'Enable',
        run: async () => {
          await on.mutateAsync({ merchantId, endpointId });
          onDone();
        },
      },
    });
    return null;
  }

  return (
    <ConfirmDialog title="Disable this endpoint?" action="Disable" variant="danger" onConfirm={confirm} onClose={onClose}>
      <p className="py-2.5 px-3 border-l-3 border-l-wait bg-wait-soft text-sm">
        Nothing more is sent to {url}. {traffic.waiting.toLocaleString('en')} pending{' '}
        {traffic.waiting === 1 ? 'delivery is' : 'deliveries are'} marked as failed. They and what happens meanwhile can be sent
        later, once it is enabled again.
      </p>
    </ConfirmDialog>
  );
}

/** Confirmation before an endpoint is removed permanently. */
export function RemoveDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const scope = useScope();
  const { merchantId, endpointId, url, traffic } = endpoint;
  const remove = useMutation(trpc.webhooks.remove.mutationOptions());

  async function confirm() {
    await remove.mutateAsync({ merchantId, endpointId });
    showToast({ text: `${url} was removed.` });
    router.push(hrefIn(scope, '/webhooks'));
    onDone();
    return null;
  }

  return (
    <ConfirmDialog title="Remove this endpoint?" action="Remove endpoint" variant="danger" onConfirm={confirm} onClose={onClose}>
      <p className="py-2.5 px-3 border-l-3 border-l-wait bg-wait-soft text-sm">
        {url} got {traffic.delivered.toLocaleString('en')} {traffic.delivered === 1 ? 'event' : 'events'} in the last 24 hours,
        and {traffic.waiting.toLocaleString('en')} {traffic.waiting === 1 ? 'is' : 'are'} pending, not to be sent. Its secret is
        destroyed; this cannot be undone. To pause deliveries, disable it instead.
      </p>
    </ConfirmDialog>
  );
}

const DAY_MS = 86_400_000;
const WHICH = [
  {
    value: 'undelivered',
    label: 'Undelivered events',
    description: 'Failed, still waiting, or happened while it was disabled.',
  },
  { value: 'all', label: 'All events', description: 'Delivered events are resent with the same ids.' },
] as const;

const moment = z.pipe(
  z.pipe(
    z.string(),
    z.transform((clock) => momentIn(viewerZone(), clock)),
  ),
  z.date().check(z.refine(isMoment, 'must be a date and a time')),
);
const resendSchema = z
  .object({ from: moment, to: moment, which: z.enum(['undelivered', 'all']) })
  .check(z.refine(({ from, to }) => from < to, { path: ['to'], error: 'must be after the beginning' }));

/** Sends the events of a period again, after showing their number. */
export function ResendDialog({ endpoint, from, onDone, onClose }: EndpointDialogProps & { from: string | null }) {
  const trpc = useTRPC();
  const { merchantId, endpointId } = endpoint;
  const resend = useMutation(trpc.webhooks.deliveries.resendRange.mutationOptions());
  const [opened] = useState(() => {
    const begin = from === null ? Number.NaN : Date.parse(from);
    return {
      from: clockIn(viewerZone(), Number.isNaN(begin) ? serverNow() - DAY_MS : begin),
      to: clockIn(viewerZone(), serverNow() + 60_000),
      which: 'undelivered' as const,
    };
  });
  const rangeOf = ({ which, ...period }: z.output<typeof resendSchema>) => ({
    merchantId,
    endpointId,
    ...period,
    onlyUndelivered: which === 'undelivered',
  });
  const form = useForm({
    schema: resendSchema,
    values: opened,
    async onSubmit(sent) {
      const outcome = await resend.mutateAsync(rangeOf(sent));
      onDone();
      if (outcome.kind === 'begun') {
        showToast({ text: `${eventsWord(outcome.total)} on the way to ${endpoint.url}.` });
      } else {
        const why = outcome.kind === 'switched_off' ? 'the endpoint is disabled' : 'there is nothing to send';
        showToast({ text: `Nothing was sent: ${why}.`, tone: 'bad' });
      }
      return null;
    },
    onDone: onClose,
  });
  const asked = resendSchema.safeParse(form.entered);
  const { counted, total, failure } = useRangeCount(asked.success ? rangeOf(asked.data) : null);

  return (
    <FormDialog
      title="Resend events"
      form={form}
      action={total === 0 ? 'Send' : `Send ${eventsWord(total)}`}
      disabled={asked.success && total === 0}
      onClose={onClose}
    >
      <div className="grid grid-cols-[repeat(auto-fit,minmax(200px,1fr))] gap-3">
        <form.DateTime name="from" label="From" />
        <form.DateTime name="to" label="To" />
      </div>
      <form.Radio name="which" label="Events" choices={WHICH} />
      <p className="py-2.5 px-3 border-l-3 border-l-wait bg-wait-soft text-sm" role="status">
        {!asked.success && 'The period is not valid.'}
        {asked.success && failure === null && describe(counted)}
      </p>
      <Refusal message={failure} />
    </FormDialog>
  );
}

function describe(counted: { readonly kind: string; readonly total?: number; readonly limit?: number } | undefined): string {
  if (counted === undefined) return 'Counting…';
  if (counted.kind === 'too_many_events')
    return `More than ${counted.limit?.toLocaleString('en')} events: choose a shorter period.`;
  if (counted.kind !== 'counted' || counted.total === undefined) return 'The period is not valid.';
  if (counted.total === 0) return 'No such events in this period.';
  return `${eventsWord(counted.total)}, in the order of each payment. Receivers know a repeated event by its id.`;
}

function eventsWord(count: number): string {
  return count === 1 ? '1 event' : `${count.toLocaleString('en')} events`;
}

const HOUR_MS = 3_600_000;
const OVERLAPS = [
  { value: '24', label: 'For 24 hours' },
  { value: '168', label: 'For 7 days' },
  { value: '720', label: 'For 30 days' },
  { value: '0', label: 'Not at all: others may know the old secret' },
] as const;
const rotateSchema = z.object({ overlap: z.enum(['24', '168', '720', '0']), secret: z.string() });

/** Rotates the signing secret; both sign for a while. */
export function RotateSecretDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const trpc = useTRPC();
  const { merchantId, endpointId, previousSecretEndsAt, traffic } = endpoint;
  const format = formatOf(endpoint.format);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useMutation(trpc.webhooks.rotateSecret.mutationOptions());
  const form = useForm({
    schema: rotateSchema,
    values: { overlap: format === 'switchyard' ? '24' : '0', secret: '' },
    aliases: { oldSignsUntil: 'overlap' },
    async onSubmit({ overlap: hours, secret: chosen }) {
      // Slightly below the accepted maximum, to allow for clock skew; the minimum is a moment ahead.
      const length = Math.max(Number(hours) * HOUR_MS - 60_000, 2_000);
      const oldSignsUntil = new Date(serverNow() + length);
      const outcome = await rotate.mutateAsync({ merchantId, endpointId, oldSignsUntil, secret: chosen === '' ? null : chosen });
      if (outcome.kind === 'invalid') return outcome.problems;
      setSecret(outcome.secret);
      onDone();
      return null;
    },
  });
  const { overlap } = form.entered;

  if (secret !== null) {
    return (
      <SecretDialog
        title="The new signing secret"
        secret={secret}
        label="the signing secret"
        advice={
          format === 'switchyard'
            ? 'Give it to the receiver. Until the old one ends, every message carries a signature by each.'
            : 'Give it to the receiver: every message is signed with it from now on, and with no other.'
        }
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog title="Rotate signing secret" form={form} action="Rotate secret" onClose={onClose}>
      {format === 'switchyard' ? (
        <form.Radio name="overlap" label="Keep signing with the old secret" choices={OVERLAPS} />
      ) : (
        <SecretField form={form} format={format} />
      )}
      <p className="py-2.5 px-3 border-l-3 border-l-wait bg-wait-soft text-sm">
        {endpoint.url} was sent {traffic.attempts.toLocaleString('en')} {traffic.attempts === 1 ? 'message' : 'messages'} in the
        last 24 hours.{' '}
        {overlap === '0'
          ? 'From now on a receiver that knows only the old secret refuses them.'
          : 'A receiver that knows either secret accepts them meanwhile.'}
        {previousSecretEndsAt !== null && ' The secret that is being replaced already stops signing immediately.'}
      </p>
    </FormDialog>
  );
}

type Range = RouterInputs['webhooks']['deliveries']['countRange'];

/**
 * How many events would be sent again. Undefined, and none to send, until those of exactly this range are counted: the number of the
 * range before would be confirmed for another one. `failure` is why they could not be counted; a range of null is none.
 */
export function useRangeCount(range: Range | null) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.webhooks.deliveries.countRange.queryOptions(range ?? skipToken));
  const counted = range === null ? undefined : data;
  return {
    counted,
    total: counted?.kind === 'counted' ? counted.total : 0,
    failure: range !== null && counted === undefined ? (error?.message ?? null) : null,
  };
}
