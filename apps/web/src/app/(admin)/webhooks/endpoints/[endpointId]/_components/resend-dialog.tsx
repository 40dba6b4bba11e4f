'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { DateTimeField } from '#/components/date-field/date-field.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { clockIn, isMoment, momentIn } from '#/format/calendar.ts';
import { viewerZone } from '#/format/zone.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { EndpointDialogProps } from './dialog-props.ts';
import classes from './endpoint-page.module.css';
import { useRangeCount } from './use-range-count.ts';

const DAY_MS = 86_400_000;
const WHICH = [
  {
    value: 'undelivered',
    label: 'What has not arrived',
    description: 'Failed, still waiting, or happened while it was switched off.',
  },
  { value: 'all', label: 'Everything', description: 'Delivered events are sent again under the same ids.' },
] as const;

/** Sends the events of a period again, after showing their number. */
export function ResendDialog({ endpoint, from, onDone, onClose }: EndpointDialogProps & { from: string | null }) {
  const trpc = useTRPC();
  const { merchantId, endpointId } = endpoint;
  const [texts, setTexts] = useState(() => {
    const begin = from === null ? Number.NaN : Date.parse(from);
    return {
      from: clockIn(viewerZone(), Number.isNaN(begin) ? Date.now() - DAY_MS : begin),
      to: clockIn(viewerZone(), Date.now() + 60_000),
    };
  });
  const [which, setWhich] = useState<(typeof WHICH)[number]['value']>('undelivered');
  const period = { from: momentIn(viewerZone(), texts.from), to: momentIn(viewerZone(), texts.to) };
  const isPeriod = isMoment(period.from) && isMoment(period.to) && period.from < period.to;
  const asked = { merchantId, endpointId, ...period, onlyUndelivered: which === 'undelivered' };
  const { counted, total, failure } = useRangeCount(asked, isPeriod);
  const resend = useMutation(trpc.webhooks.deliveries.resendRange.mutationOptions());

  async function confirm() {
    const outcome = await resend.mutateAsync(asked);
    onDone();
    onClose();
    if (outcome.kind === 'begun') {
      showToast({ text: `${eventsWord(outcome.total)} on the way to ${endpoint.url}.` });
    } else {
      const why = outcome.kind === 'switched_off' ? 'the endpoint is switched off' : 'there is nothing to send';
      showToast({ text: `Nothing was sent: ${why}.`, tone: 'bad' });
    }
  }

  return (
    <Dialog title="Send a period again" onClose={onClose}>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(200px,1fr))] gap-3">
        <DateTimeField label="From" value={texts.from} onChange={(from) => setTexts({ ...texts, from })} />
        <DateTimeField
          label="To"
          value={texts.to}
          error={isPeriod ? null : 'must be after the beginning'}
          onChange={(to) => setTexts({ ...texts, to })}
        />
      </div>
      <RadioGroup label="What" choices={WHICH} value={which} onChange={setWhich} />
      <p className={classes.consequence} role="status">
        {isPeriod && failure === null && describe(counted)}
      </p>
      <Refusal message={resend.error?.message ?? failure} />
      <DialogActions onCancel={onClose}>
        <Button
          variant="accent"
          disabled={total === 0}
          onClick={() => void confirm().catch(() => undefined)}
          loading={resend.isPending}
        >
          {total === 0 ? 'Send' : `Send ${eventsWord(total)}`}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function describe(counted: { readonly kind: string; readonly total?: number; readonly most?: number } | undefined): string {
  if (counted === undefined) return 'Counting…';
  if (counted.kind === 'too_many_events')
    return `More than ${counted.most?.toLocaleString('en')} events: choose a shorter period.`;
  if (counted.kind !== 'counted' || counted.total === undefined) return 'The period is not valid.';
  if (counted.total === 0) return 'No such events in this period.';
  return `${eventsWord(counted.total)}, in the order of each payment. Receivers know a repeated event by its id.`;
}

function eventsWord(count: number): string {
  return count === 1 ? '1 event' : `${count.toLocaleString('en')} events`;
}
