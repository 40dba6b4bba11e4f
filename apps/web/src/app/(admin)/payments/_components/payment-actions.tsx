'use client';

import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { useMay } from '../../../../trpc/use-may.ts';
import classes from './payment-actions.module.css';
import type { Payment } from './payment-head.tsx';
import { useVerify } from './use-verify.ts';

const RefundDialog = lazy(() => import('./refund-dialog.tsx').then((module) => ({ default: module.RefundDialog })));

/** The actions on a payment: verify it at its gateway, refund it. */
export function PaymentActions({ payment }: { payment: Payment }) {
  const may = useMay();
  const [refunding, setRefunding] = useState(false);
  const { verify, busy, result, refusal } = useVerify(payment);
  const mayVerify = may('payment:verify', payment.merchantId) && canVerify(payment);
  const mayRefund = may('payment:refund', payment.merchantId) && payment.status === 'SUCCESS';
  // An open dialog stays: it says itself that nothing is left to refund.
  if (!mayVerify && !mayRefund && !refunding) return null;
  return (
    <div className={classes.actions}>
      {mayVerify && (
        <Button busy={busy} onClick={verify}>
          Verify now
        </Button>
      )}
      {mayRefund && <Button onClick={() => setRefunding(true)}>Refund</Button>}
      <p className={classes.detail} aria-live="polite">
        {result}
      </p>
      {refusal !== null && <Refusal message={refusal} />}
      {refunding && (
        <Suspense>
          <RefundDialog paymentId={payment.paymentId} onClose={() => setRefunding(false)} />
        </Suspense>
      )}
    </div>
  );
}

function canVerify({ status, attempts }: Payment): boolean {
  return (status === 'PENDING' || status === 'FAILED') && attempts.some(({ state, current }) => current || state === 'UNKNOWN');
}
