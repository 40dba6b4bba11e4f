'use client';

import { showToast } from '#/components/toasts/toast-store.ts';
import { describeMonth, type Month } from '#/copy/accounting.ts';
import { formatMoney } from '#/format/amounts.ts';
import { formatTimestamp } from '#/format/moments.ts';
import { ConfirmDialog } from '#/forms/confirm-dialog.tsx';
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
