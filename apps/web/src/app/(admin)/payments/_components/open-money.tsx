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
  const [decision, setDecision] = useState<Decision | null>(null);
  return (
    <>
      {payment.review?.state === 'OPEN' && <OpenReview payment={payment} onDecide={setDecision} />}
      {payment.attempts.some(({ duplicate }) => duplicate) && <SecondCharges payment={payment} onDecide={setDecision} />}
      {payment.refunds.map((refund) => {
        if (refund.unresolved) {
          return <FailedRefund key={refund.refundId} refund={refund} payment={payment} onDecide={setDecision} />;
        }
        return refund.state === 'NEEDS_ATTENTION' && <StuckRefund key={refund.refundId} refund={refund} payment={payment} />;
      })}
      {decision !== null && <DecisionDialog decision={decision} payment={payment} onClose={() => setDecision(null)} />}
    </>
  );
}

/** What the open dialog decides. */
type Decision =
  | { readonly kind: 'refund again' }
  | { readonly kind: 'dismiss refund'; readonly refund: Payment['refunds'][number] }
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'duplicate'; readonly charge: Charge; readonly by: 'refund' | 'dismiss' };

/** It is not in the line that opened it: that goes when another person decides, and the dialog says so and keeps what was typed. */
function DecisionDialog({ decision, payment, onClose }: { decision: Decision; payment: Payment; onClose: () => void }) {
  const { paymentId, merchantId, merchantOrderId } = payment;
  switch (decision.kind) {
    case 'refund again':
      return <RefundDialog paymentId={paymentId} onClose={onClose} />;
    case 'dismiss refund':
      return <DismissRefundDialog refund={{ ...decision.refund, merchantId, merchantOrderId }} onClose={onClose} />;
    case 'review':
      return <ReviewDialog review={decision.review} onClose={onClose} />;
    case 'duplicate':
      return <DuplicateDialog charge={decision.charge} by={decision.by} onClose={onClose} />;
    default:
      return decision satisfies never;
  }
}

interface DecideProps {
  readonly payment: Payment;
  readonly onDecide: (decision: Decision) => void;
}

interface RefundProps {
  readonly refund: Payment['refunds'][number];
  readonly payment: Payment;
}

function FailedRefund({ refund, payment, onDecide }: RefundProps & DecideProps) {
  const may = useMay();
  const { merchantId } = payment;
  return (
    <div className={classes.item}>
      <p>
        <strong>Refund failed.</strong> {refund.currency} {groupAmount(refund.amount)} was not returned. {refund.failureMessage}
      </p>
      {may('payment:refund', merchantId) && <Button onClick={() => onDecide({ kind: 'refund again' })}>Refund again…</Button>}
      {may('payment:review', merchantId) && (
        <Button onClick={() => onDecide({ kind: 'dismiss refund', refund })}>Dismiss…</Button>
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

function OpenReview({ payment, onDecide }: DecideProps) {
  const trpc = useTRPC();
  const may = useMay();
  const { merchantId, mode, paymentId } = payment;
  const own = { merchantIds: [merchantId], mode, search: paymentId, limit: 1 };
  const { data } = useQuery(trpc.refunds.reviews.list.queryOptions(own));
  const review = data?.items[0];
  const mayDecide = may('payment:refund', payment.merchantId) || may('payment:review', payment.merchantId);
  return (
    <div className={classes.item}>
      <p>
        <strong>Needs review.</strong> {payment.review?.reason ?? 'The amount received does not match the order.'}
      </p>
      {review?.refunding === true && <Badge tone="wait">Refund processing</Badge>}
      {review?.refunding === false && mayDecide && <Button onClick={() => onDecide({ kind: 'review', review })}>Review…</Button>}
    </div>
  );
}

function SecondCharges({ payment, onDecide }: DecideProps) {
  const trpc = useTRPC();
  const may = useMay();
  const { merchantId, mode, paymentId } = payment;
  const own = { merchantIds: [merchantId], mode, paymentId, limit: 20 };
  const { data } = useQuery(trpc.refunds.duplicates.list.queryOptions({ ...own, states: ['OPEN'] }));
  return (
    <>
      {data?.items.map((charge) => (
        <div key={charge.duplicateChargeId} className={classes.item}>
          <p>
            <strong>Duplicate payment.</strong> {charge.currency} {groupDecimal(charge.amount)} was received again through{' '}
            {gatewayTitle(charge.gateway)} and has not been refunded.
          </p>
          {may('payment:refund', payment.merchantId) && (
            <Button onClick={() => onDecide({ kind: 'duplicate', charge, by: 'refund' })}>Refund…</Button>
          )}
          {may('payment:review', payment.merchantId) && (
            <Button onClick={() => onDecide({ kind: 'duplicate', charge, by: 'dismiss' })}>Dismiss…</Button>
          )}
        </div>
      ))}
    </>
  );
}
