'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Badge } from '../../../../components/badge.tsx';
import { Button } from '../../../../components/button.tsx';
import { gatewayTitle } from '../../../../copy/gateways.ts';
import { groupAmount, groupDecimal } from '../../../../format/amounts.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import { useMay } from '../../../../trpc/use-may.ts';
import { useSyncRefund } from '../../refunds/_components/use-money.ts';
import classes from './open-money.module.css';
import type { Payment } from './payment-head.tsx';

type Review = RouterOutputs['refunds']['reviews']['list']['items'][number];
type Charge = RouterOutputs['refunds']['duplicates']['list']['items'][number];

const ReviewDialog = dynamic(() => import('../../refunds/_components/review-dialog.tsx').then((module) => module.ReviewDialog));
const DuplicateDialog = dynamic(() =>
  import('../../refunds/_components/duplicate-dialog.tsx').then((module) => module.DuplicateDialog),
);

const RefundDialog = dynamic(() => import('./refund-dialog.tsx').then((module) => module.RefundDialog));
const DismissRefundDialog = dynamic(() =>
  import('../../refunds/_components/dismiss-refund-dialog.tsx').then((module) => module.DismissRefundDialog),
);

/**
 * Money of a payment that needs a decision by staff: received amounts that do not match the order, duplicate charges, refunds that
 * failed. Each is shown with the actions it allows.
 */
export function OpenMoney({ payment }: { payment: Payment }) {
  return (
    <>
      {payment.review?.state === 'OPEN' && <OpenReview payment={payment} />}
      {payment.attempts.some(({ duplicate }) => duplicate) && <SecondCharges payment={payment} />}
      {payment.refunds.map((refund) => {
        if (refund.unresolved) return <FailedRefund key={refund.refundId} refund={refund} payment={payment} />;
        return refund.state === 'NEEDS_ATTENTION' && <StuckRefund key={refund.refundId} refund={refund} payment={payment} />;
      })}
    </>
  );
}

interface RefundProps {
  readonly refund: Payment['refunds'][number];
  readonly payment: Payment;
}

function FailedRefund({ refund, payment }: RefundProps) {
  const may = useMay();
  const [open, setOpen] = useState<'again' | 'dismiss' | null>(null);
  const { merchantId, merchantOrderId } = payment;
  return (
    <div className={classes.item}>
      <p>
        <strong>Refund failed.</strong> {refund.currency} {groupAmount(refund.amount)} was not returned. {refund.failureMessage}
      </p>
      {may('payment:refund', merchantId) && <Button onClick={() => setOpen('again')}>Refund again…</Button>}
      {may('payment:review', merchantId) && <Button onClick={() => setOpen('dismiss')}>Dismiss…</Button>}
      {open === 'again' && <RefundDialog paymentId={payment.paymentId} onClose={() => setOpen(null)} />}
      {open === 'dismiss' && (
        <DismissRefundDialog refund={{ ...refund, merchantId, merchantOrderId }} onClose={() => setOpen(null)} />
      )}
    </div>
  );
}

function StuckRefund({ refund, payment }: RefundProps) {
  const may = useMay();
  const sync = useSyncRefund();
  return (
    <div className={classes.item}>
      <p>
        <strong>Refund needs attention.</strong> {refund.currency} {groupAmount(refund.amount)} has not been returned.{' '}
        {refund.failureMessage} Complete it in the gateway's dashboard.
      </p>
      {may('payment:refund', payment.merchantId) && (
        <Button busy={sync.isPending} onClick={() => sync.mutate({ refundId: refund.refundId })}>
          Check now
        </Button>
      )}
    </div>
  );
}

function OpenReview({ payment }: { payment: Payment }) {
  const trpc = useTRPC();
  const may = useMay();
  const { merchantId, mode, paymentId } = payment;
  const own = { merchantIds: [merchantId], mode, search: paymentId, limit: 1 };
  const { data } = useQuery(trpc.refunds.reviews.list.queryOptions(own));
  const [open, setOpen] = useState<Review | null>(null);
  const review = data?.items[0];
  const mayDecide = may('payment:refund', payment.merchantId) || may('payment:review', payment.merchantId);
  return (
    <div className={classes.item}>
      <p>
        <strong>Needs review.</strong> {payment.review?.reason ?? 'The amount received does not match the order.'}
      </p>
      {review?.refunding === true && <Badge tone="wait">Refund processing</Badge>}
      {review?.refunding === false && mayDecide && <Button onClick={() => setOpen(review)}>Review…</Button>}
      {open !== null && <ReviewDialog review={open} onClose={() => setOpen(null)} />}
    </div>
  );
}

function SecondCharges({ payment }: { payment: Payment }) {
  const trpc = useTRPC();
  const may = useMay();
  const { merchantId, mode, paymentId } = payment;
  const own = { merchantIds: [merchantId], mode, paymentId, limit: 20 };
  const { data } = useQuery(trpc.refunds.duplicates.list.queryOptions({ ...own, states: ['OPEN'] }));
  const [open, setOpen] = useState<{ readonly charge: Charge; readonly by: 'refund' | 'dismiss' } | null>(null);
  return (
    <>
      {data?.items.map((charge) => (
        <div key={charge.duplicateChargeId} className={classes.item}>
          <p>
            <strong>Duplicate payment.</strong> {charge.currency} {groupDecimal(charge.amount)} was received again through{' '}
            {gatewayTitle(charge.gateway)} and has not been refunded.
          </p>
          {may('payment:refund', payment.merchantId) && (
            <Button onClick={() => setOpen({ charge, by: 'refund' })}>Refund…</Button>
          )}
          {may('payment:review', payment.merchantId) && (
            <Button onClick={() => setOpen({ charge, by: 'dismiss' })}>Dismiss…</Button>
          )}
        </div>
      ))}
      {open !== null && <DuplicateDialog {...open} onClose={() => setOpen(null)} />}
    </>
  );
}
