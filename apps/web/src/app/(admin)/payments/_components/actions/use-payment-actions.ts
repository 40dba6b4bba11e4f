'use client';

import { useState } from 'react';
import { useCan } from '#/trpc/use-can.ts';
import type { Payment } from '../detail/payment-head.tsx';

/** The actions that a payment and the viewer's role allow now, and the refund that is being asked for. */
export interface PaymentActionsState {
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
