'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showToast } from '#/components/toasts/toast-store.ts';
import { type PaymentStatus, STATUS_LABELS } from '#/copy/payment-status.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

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
