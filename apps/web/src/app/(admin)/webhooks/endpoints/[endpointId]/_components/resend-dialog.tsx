'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { clockIn, isMoment, momentIn } from '#/format/calendar.ts';
import { viewerZone } from '#/format/zone.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { EndpointDialogProps } from './dialog-props.ts';
import classes from './endpoint-page.module.css';
import { useRangeCount } from './use-range-count.ts';

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
const schema = z
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
      from: clockIn(viewerZone(), Number.isNaN(begin) ? Date.now() - DAY_MS : begin),
      to: clockIn(viewerZone(), Date.now() + 60_000),
      which: 'undelivered' as const,
    };
  });
  const rangeOf = ({ which, ...period }: z.output<typeof schema>) => ({
    merchantId,
    endpointId,
    ...period,
    onlyUndelivered: which === 'undelivered',
  });
  const form = useForm({
    schema,
    values: opened,
    async onSubmit(sent) {
      const outcome = await resend.mutateAsync(rangeOf(sent));
      onDone();
      onClose();
      if (outcome.kind === 'begun') {
        showToast({ text: `${eventsWord(outcome.total)} on the way to ${endpoint.url}.` });
      } else {
        const why = outcome.kind === 'switched_off' ? 'the endpoint is disabled' : 'there is nothing to send';
        showToast({ text: `Nothing was sent: ${why}.`, tone: 'bad' });
      }
      return null;
    },
  });
  const asked = schema.safeParse(form.entered);
  const { counted, total, failure } = useRangeCount(asked.success ? rangeOf(asked.data) : null);

  return (
    <Dialog title="Resend events" onClose={onClose}>
      <Form form={form}>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(200px,1fr))] gap-3">
          <form.DateTime name="from" label="From" />
          <form.DateTime name="to" label="To" />
        </div>
        <form.Radio name="which" label="Events" choices={WHICH} />
        <p className={classes.consequence} role="status">
          {!asked.success && 'The period is not valid.'}
          {asked.success && failure === null && describe(counted)}
        </p>
        <Refusal message={failure} />
        <FormActions
          action={total === 0 ? 'Send' : `Send ${eventsWord(total)}`}
          disabled={asked.success && total === 0}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
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
