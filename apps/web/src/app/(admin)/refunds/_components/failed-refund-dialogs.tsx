'use client';

import { showToast } from '#/components/toasts/toast-store.ts';
import { formatMoney } from '#/format/amounts.ts';
import { DismissDialog } from './dismiss-dialog.tsx';
import { type RefundRow, useDismissRefund } from './use-refunds.ts';

type FailedRefund = Pick<RefundRow, 'merchantId' | 'refundId' | 'merchantOrderId' | 'amount' | 'currency' | 'failureMessage'>;

/** Dismisses a refund that failed, after showing the consequences. */
export function DismissRefundDialog({ refund, onClose }: { refund: FailedRefund; onClose: () => void }) {
  const dismiss = useDismissRefund();
  const { merchantId, refundId, merchantOrderId, failureMessage } = refund;
  const money = formatMoney(refund.currency, refund.amount);

  async function dismissIt(note: string) {
    const outcome = await dismiss.mutateAsync({ merchantId, refundId, note });
    switch (outcome.kind) {
      case 'dismissed':
        showToast({ text: `The failed refund of order ${merchantOrderId} was dismissed.` });
        onClose();
        return null;
      case 'resolved':
        return 'Another person has dismissed it or refunded it again.';
      case 'not_failed':
        return 'It has not failed.';
      default:
        return outcome satisfies never;
    }
  }

  return (
    <DismissDialog
      title="Dismiss this failed refund"
      lead={
        <>
          <strong>{money}</strong> of order <strong>{merchantOrderId}</strong> was not returned. {failureMessage}
        </>
      }
      consequence={`No money moves: ${money} stays with the merchant, and the refund no longer needs attention. The payment can still be refunded.`}
      action="Dismiss the failed refund"
      onDismiss={dismissIt}
      onClose={onClose}
    />
  );
}
