'use client';

import { lazy, Suspense } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import type { Payment } from '../detail/payment-head.tsx';
import { usePaymentActions } from './use-payment-actions.ts';
import { useVerify } from './use-verify.ts';

const RefundDialog = lazy(() => import('./refund-dialog.tsx').then((module) => ({ default: module.RefundDialog })));

/** The actions on a payment: verify it at its gateway, refund it. */
export function PaymentActions({ payment }: { payment: Payment }) {
  const { mayVerify, mayRefund, refunding, isShown, askRefund, close } = usePaymentActions(payment);
  const { verify, busy, result, refusal } = useVerify(payment);
  if (!isShown) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 mt-4">
      {mayVerify && (
        <Button loading={busy} onClick={verify}>
          Verify now
        </Button>
      )}
      {mayRefund && <Button onClick={askRefund}>Refund</Button>}
      <p className="text-ink-quiet text-sm" aria-live="polite">
        {result}
      </p>
      {refusal !== null && <Refusal message={refusal} />}
      {refunding && (
        <Suspense>
          <RefundDialog paymentId={payment.paymentId} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
