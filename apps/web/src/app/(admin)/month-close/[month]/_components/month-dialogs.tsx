'use client';

import { reviewNote } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { showToast } from '#/components/toasts/toast-store.ts';
import { type Month, OPEN_SORTS } from '#/copy/accounting.ts';
import { formatMoney } from '#/format/amounts.ts';
import { describeMonth } from '#/format/calendar.ts';
import { formatTimestamp } from '#/format/moments.ts';
import { ConfirmDialog, FormDialog } from '#/forms/form-dialog.tsx';
import { done } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { useMonthChanges } from './use-month-changes.ts';

/** Asks before a closed month is signed off, with what is signed: the closing balances and the hash of the document. */
export function SignDialog({ month, close, onClose }: { month: Month; close: NonNullable<Month['close']>; onClose: () => void }) {
  const { signOff } = useMonthChanges();
  const { merchantId, mode, merchantName, figures, needsReview } = month;
  const { hash, closed, reviewed, adjustments } = close;
  const name = describeMonth(month.month);
  const count = adjustments.sums.reduce((sum, each) => sum + each.count, 0);
  return (
    <ConfirmDialog
      title={`Sign off ${name}`}
      action="Sign off"
      onClose={onClose}
      onConfirm={async () => {
        await signOff.mutateAsync({ merchantId, mode, month: month.month, hash });
        showToast({ text: `${name} of ${merchantName} is signed off.` });
        return null;
      }}
    >
      <p className="mb-3">
        You sign the figures of {merchantName} for {name} as they were frozen on {formatTimestamp(closed.at)}, with your name and
        this moment. That cannot be undone.
      </p>
      <ul className="mb-3 pl-5 list-disc">
        {figures.totals.map(({ currency, closing }) => (
          <li key={currency}>{formatMoney(currency, closing)} held by gateways at its end</li>
        ))}
        <li>
          {count === 0 && 'Nothing has changed since'}
          {count === 1 && '1 amount has changed since: it is an adjustment'}
          {count > 1 && `${count.toLocaleString('en')} amounts have changed since: they are adjustments`}
        </li>
        <li>
          {reviewed !== null && `Reviewed by ${reviewed.name ?? 'a colleague'}`}
          {reviewed === null && (needsReview ? 'Another person has to review it first' : 'Not reviewed by another person')}
        </li>
      </ul>
      <p className="mb-4 text-ink-quiet text-xs font-mono [overflow-wrap:anywhere]">SHA-256 {hash}</p>
    </ConfirmDialog>
  );
}

/** Asks before a month is closed, and says what is then frozen and left unexplained. */
export function CloseDialog({ month, onClose }: { month: Month; onClose: () => void }) {
  const { close } = useMonthChanges();
  const { merchantId, mode, figures, merchantName } = month;
  const name = describeMonth(month.month);
  const open = OPEN_SORTS.filter(({ sort }) => figures.unexplained[sort].count > 0);
  return (
    <ConfirmDialog
      title={`Close ${name}`}
      action="Close month"
      onClose={onClose}
      onConfirm={async () => {
        await close.mutateAsync({ merchantId, mode, month: month.month });
        showToast({ text: `${name} of ${merchantName} is closed.` });
        return null;
      }}
    >
      <p className="mb-3">
        The figures of {merchantName} for {name} are frozen as they are at this moment. That cannot be undone: what changes later
        is shown beside them as adjustments.
      </p>
      <ul className="mb-4 pl-5 list-disc">
        {figures.totals.map(({ currency, closing, figures: { payment } }) => (
          <li key={currency}>
            {payment.count.toLocaleString('en')} payments of {formatMoney(currency, payment.amount)};{' '}
            {formatMoney(currency, closing)} held by gateways at its end
          </li>
        ))}
        {open.map(({ sort, title }) => (
          <li key={sort}>
            {title}: {figures.unexplained[sort].count.toLocaleString('en')}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

const schema = z.object({ note: reviewNote });

/** Records a second look at a closed month; another person signs it off then. */
export function ReviewDialog({ month, hash, onClose }: { month: Month; hash: string; onClose: () => void }) {
  const { review } = useMonthChanges();
  const { merchantId, mode } = month;
  const form = useForm({
    schema,
    values: { note: '' },
    async onSubmit({ note }) {
      await review.mutateAsync({ merchantId, mode, month: month.month, hash, note });
      return done(`${describeMonth(month.month)} is reviewed.`);
    },
    onDone: onClose,
  });
  return (
    <FormDialog title={`Review ${describeMonth(month.month)}`} form={form} action="Record review" onClose={onClose}>
      <p className="text-ink-quiet text-sm">
        You have compared the frozen figures with what you know. Another person signs the month off.
      </p>

      <form.Area name="note" label="Note" rows={3} description="Shown with the sign-off; may be left empty." />
    </FormDialog>
  );
}
