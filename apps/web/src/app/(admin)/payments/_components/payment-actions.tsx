'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { STATUS_LABELS } from '../../../../copy/payment-status.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import { useMay } from '../../../../trpc/use-may.ts';
import classes from './payment-actions.module.css';
import type { Payment } from './payment-head.tsx';

const RefundDialog = lazy(() => import('./refund-dialog.tsx').then((module) => ({ default: module.RefundDialog })));

/** The actions on a payment: verify it at its gateway, refund it. */
export function PaymentActions({ payment }: { payment: Payment }) {
  const may = useMay();
  const [refunding, setRefunding] = useState(false);
  const { verify, result } = useVerify(payment.paymentId);
  const mayVerify = may('payment:verify', payment.merchantId) && canVerify(payment);
  const mayRefund = may('payment:refund', payment.merchantId) && payment.status === 'SUCCESS';
  if (!mayVerify && !mayRefund) return null;
  return (
    <div className={classes.actions}>
      {mayVerify && (
        <Button busy={verify.isPending} onClick={() => verify.mutate({ paymentId: payment.paymentId })}>
          Verify now
        </Button>
      )}
      {mayRefund && <Button onClick={() => setRefunding(true)}>Refund</Button>}
      <p className={classes.detail} aria-live="polite">
        {result}
      </p>
      {verify.error !== null && <Refusal message={verify.error.message} />}
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

function useVerify(paymentId: string) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [result, setResult] = useState('');
  const verify = useMutation(
    trpc.payments.verify.mutationOptions({
      onSuccess: async (outcome) => {
        const sentence = describeOutcome(outcome);
        setResult(sentence);
        showToast({ text: sentence });
        await Promise.all([
          queries.invalidateQueries(trpc.payments.byId.queryFilter({ paymentId })),
          queries.invalidateQueries(trpc.payments.list.infiniteQueryFilter()),
        ]);
      },
    }),
  );
  return { verify, result };
}

/** The result of the verification, in one sentence. */
function describeOutcome(outcome: RouterOutputs['payments']['verify']): string {
  if (outcome.kind === 'settled') return 'Nothing to verify: no attempt is waiting for its gateway.';
  const { before, after, answered, underReview } = outcome;
  if (after !== before) return `Verified: the payment is now ${STATUS_LABELS[after].word.toLowerCase()}.`;
  if (underReview) return 'Verified: the amount received does not match the order, so the payment stays in review.';
  if (!answered) return 'The gateway did not answer, so nothing changed. It will be checked again.';
  return `Verified: the gateway has no payment, so it stays ${STATUS_LABELS[after].word.toLowerCase()}.`;
}
