'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { type PaymentStatus, STATUS_LABELS } from '#/copy/payment-status.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import type { Payment } from '../detail/payment-head.tsx';

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

/** The actions that a payment and the viewer's role allow now, and the refund that is being asked for. */
interface PaymentActionsState {
  readonly mayVerify: boolean;
  readonly mayRefund: boolean;
  /** True if the dialog of a refund is open. It stays when another person refunds meanwhile, and shows that nothing is left. */
  readonly refunding: boolean;
  /** False where there is nothing to do, and no dialog is open. */
  readonly isShown: boolean;
  readonly askRefund: () => void;
  readonly close: () => void;
}

/** Actions on a payment that is refetched at intervals. */
export function usePaymentActions(payment: Pick<Payment, 'merchantId' | 'status' | 'attempts'>): PaymentActionsState {
  const can = useCan();
  const [refunding, setRefunding] = useState(false);
  const mayVerify = can('payment:verify', payment.merchantId) && canVerify(payment);
  const mayRefund = can('payment:refund', payment.merchantId) && payment.status === 'SUCCESS';
  return {
    mayVerify,
    mayRefund,
    refunding,
    isShown: mayVerify || mayRefund || refunding,
    askRefund: () => setRefunding(true),
    close: () => setRefunding(false),
  };
}

function canVerify({ status, attempts }: Pick<Payment, 'status' | 'attempts'>): boolean {
  return (status === 'PENDING' || status === 'FAILED') && attempts.some(({ state, current }) => current || state === 'UNKNOWN');
}

interface VerifiedPayment {
  readonly paymentId: string;
  readonly status: PaymentStatus;
}

interface Result {
  readonly text: string;
  readonly isRefusal: boolean;
  /** The statuses of the payment of which it is true. */
  readonly statuses: readonly PaymentStatus[];
}

/**
 * Verifies a payment at its gateway now. The result is in one sentence, and shown only until the payment has gone on: that it stays
 * pending is false as soon as a webhook has made it succeed.
 */
export function useVerify({ paymentId, status }: VerifiedPayment) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [last, setLast] = useState<Result | null>(null);
  const verify = useMutation(
    trpc.payments.verify.mutationOptions({
      onMutate: () => setLast(null),
      onSuccess: async (outcome) => {
        const text = describeOutcome(outcome);
        const statuses = outcome.kind === 'settled' ? [status] : [outcome.before, outcome.after];
        setLast({ text, isRefusal: false, statuses });
        showToast({ text });
        await Promise.all([
          queries.invalidateQueries(trpc.payments.byId.queryFilter({ paymentId })),
          queries.invalidateQueries(trpc.payments.list.infiniteQueryFilter()),
        ]);
      },
      onError: ({ message }) => setLast({ text: message, isRefusal: true, statuses: [status] }),
    }),
  );
  const shown = last?.statuses.includes(status) ? last : null;
  return {
    verify: () => verify.mutate({ paymentId }),
    busy: verify.isPending,
    result: shown !== null && !shown.isRefusal ? shown.text : '',
    refusal: shown?.isRefusal ? shown.text : null,
  };
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

type WatchedPayment = Pick<RouterOutputs['payments']['byId'], 'status'> & {
  readonly refunds: readonly Pick<RouterOutputs['payments']['byId']['refunds'][number], 'state' | 'createdAt'>[];
};

const OPEN_MS = 5_000;
/** How long a payment is polled after a refund was requested. */
const REFUND_NEW_MS = 2_000;
const NEW_FOR_MS = 120_000;
/** Gateways may take weeks. */
const REFUND_OLD_MS = 15_000;

/** Milliseconds until a payment is refetched; false when nothing can change any more. */
export function watchInterval({ status, refunds }: WatchedPayment, now: number): number | false {
  if (status === 'INITIATED' || status === 'PENDING') return OPEN_MS;
  const underWay = refunds.filter(({ state }) => state === 'REQUESTED' || state === 'PROCESSING' || state === 'NEEDS_ATTENTION');
  if (underWay.length === 0) return false;
  return underWay.some(({ createdAt }) => now - createdAt.getTime() < NEW_FOR_MS) ? REFUND_NEW_MS : REFUND_OLD_MS;
}
