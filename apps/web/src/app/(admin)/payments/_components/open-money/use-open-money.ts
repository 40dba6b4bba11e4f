'use client';

import { useState } from 'react';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { Payment } from '../detail/payment-head.tsx';

type Review = RouterOutputs['refunds']['reviews']['list']['items'][number];
type Charge = RouterOutputs['refunds']['duplicates']['list']['items'][number];
type Refund = Payment['refunds'][number];

/** The decision that an open dialog asks for. */
export type Decision =
  | { readonly kind: 'refund again' }
  | { readonly kind: 'dismiss refund'; readonly refund: Refund }
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'duplicate'; readonly charge: Charge; readonly by: 'refund' | 'dismiss' };

/** The money of a payment that needs a decision by staff now, and the decision whose dialog is open. */
export interface OpenMoneyState {
  readonly isForReview: boolean;
  readonly hasDuplicates: boolean;
  /** Refunds that failed and nothing has replaced. */
  readonly failed: readonly Refund[];
  /** Refunds that have to be completed at the gateway. */
  readonly stuck: readonly Refund[];
  readonly decision: Decision | null;
  readonly decide: (decision: Decision) => void;
  readonly close: () => void;
}

/**
 * The open money of a payment that is read again and again. A decision is not part of what it was opened from: that goes when another
 * person decides, and the dialog says so and keeps what was typed.
 */
export function useOpenMoney({ review, attempts, refunds }: Pick<Payment, 'review' | 'attempts' | 'refunds'>): OpenMoneyState {
  const [decision, setDecision] = useState<Decision | null>(null);
  return {
    isForReview: review?.state === 'OPEN',
    hasDuplicates: attempts.some(({ duplicate }) => duplicate),
    failed: refunds.filter(({ unresolved }) => unresolved),
    stuck: refunds.filter(({ unresolved, state }) => !unresolved && state === 'NEEDS_ATTENTION'),
    decision,
    decide: setDecision,
    close: () => setDecision(null),
  };
}
