'use client';

import { showToast } from '#/components/toasts/toast-store.ts';
import { describeMonth, type Month, OPEN_SORTS } from '#/copy/accounting.ts';
import { formatMoney } from '#/format/amounts.ts';
import { ConfirmDialog } from '#/forms/confirm-dialog.tsx';
import { useMonthChanges } from './use-month-changes.ts';

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
