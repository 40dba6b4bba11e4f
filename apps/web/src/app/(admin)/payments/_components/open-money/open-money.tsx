'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useSyncRefund } from '#/app/(admin)/refunds/_components/use-refunds.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { formatMoney } from '#/format/amounts.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import type { Payment } from '../detail/payment-head.tsx';
import classes from './open-money.module.css';
import { type Decision, useOpenMoney } from './use-open-money.ts';

const ReviewDialog = dynamic(() =>
  import('#/app/(admin)/refunds/_components/review-dialog.tsx').then((module) => module.ReviewDialog),
);
const DuplicateDialog = dynamic(() =>
  import('#/app/(admin)/refunds/_components/duplicate-dialog.tsx').then((module) => module.DuplicateDialog),
);

const RefundDialog = dynamic(() => import('../actions/refund-dialog.tsx').then((module) => module.RefundDialog));
const DismissRefundDialog = dynamic(() =>
  import('#/app/(admin)/refunds/_components/dismiss-refund-dialog.tsx').then((module) => module.DismissRefundDialog),
);

/**
 * Money of a payment that needs a decision by staff: received amounts that do not match the order, duplicate charges, refunds that
 * failed. Each is shown with the actions it allows.
 */
export function OpenMoney({ payment }: { payment: Payment }) {
  const { isForReview, hasDuplicates, failed, stuck, decision, decide, close } = useOpenMoney(payment);
  return (
    <>
      {isForReview && <OpenReview payment={payment} onDecide={decide} />}
      {hasDuplicates && <SecondCharges payment={payment} onDecide={decide} />}
      {failed.map((refund) => (
        <FailedRefund key={refund.refundId} refund={refund} payment={payment} onDecide={decide} />
      ))}
      {stuck.map((refund) => (
        <StuckRefund key={refund.refundId} refund={refund} payment={payment} />
      ))}
      {decision !== null && <DecisionDialog decision={decision} payment={payment} onClose={close} />}
    </>
  );
}

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
  const can = useCan();
  const { merchantId } = payment;
  return (
    <div className={classes.item}>
      <p>
        <strong>Refund failed.</strong> {formatMoney(refund.currency, refund.amount)} was not returned. {refund.failureMessage}
      </p>
      {can('payment:refund', merchantId) && <Button onClick={() => onDecide({ kind: 'refund again' })}>Refund again…</Button>}
      {can('payment:review', merchantId) && (
        <Button onClick={() => onDecide({ kind: 'dismiss refund', refund })}>Dismiss…</Button>
      )}
    </div>
  );
}

function StuckRefund({ refund, payment }: RefundProps) {
  const can = useCan();
  const sync = useSyncRefund();
  return (
    <div className={classes.item}>
      <p>
        <strong>Refund needs attention.</strong> {formatMoney(refund.currency, refund.amount)} has not been returned.{' '}
        {refund.failureMessage} Complete it in the gateway's dashboard.
      </p>
      {can('payment:refund', payment.merchantId) && (
        <Button loading={sync.isPending} onClick={() => sync.mutate({ refundId: refund.refundId })}>
          Check now
        </Button>
      )}
    </div>
  );
}

function OpenReview({ payment, onDecide }: DecideProps) {
  const trpc = useTRPC();
  const can = useCan();
  const { merchantId, mode, paymentId } = payment;
  const own = { merchantIds: [merchantId], mode, search: paymentId, limit: 1 };
  const { data } = useQuery(trpc.refunds.reviews.list.queryOptions(own));
  const review = data?.items[0];
  const mayDecide = can('payment:refund', payment.merchantId) || can('payment:review', payment.merchantId);
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
  const can = useCan();
  const { merchantId, mode, paymentId } = payment;
  const own = { merchantIds: [merchantId], mode, paymentId, limit: 20 };
  const { data } = useQuery(trpc.refunds.duplicates.list.queryOptions({ ...own, states: ['OPEN'] }));
  return (
    <>
      {data?.items.map((charge) => (
        <div key={charge.duplicateChargeId} className={classes.item}>
          <p>
            <strong>Duplicate payment.</strong> {formatMoney(charge.currency, charge.amount)} was received again through{' '}
            {gatewayTitle(charge.gateway)} and has not been refunded.
          </p>
          {can('payment:refund', payment.merchantId) && (
            <Button onClick={() => onDecide({ kind: 'duplicate', charge, by: 'refund' })}>Refund…</Button>
          )}
          {can('payment:review', payment.merchantId) && (
            <Button onClick={() => onDecide({ kind: 'duplicate', charge, by: 'dismiss' })}>Dismiss…</Button>
          )}
        </div>
      ))}
    </>
  );
}
