'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useSyncRefund } from '#/app/(admin)/refunds/_components/use-refunds.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { formatMoney } from '#/format/amounts.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import type { Payment } from '../detail/payment-head.tsx';

const ReviewDialog = dynamic(() =>
  import('#/app/(admin)/refunds/_components/review-dialog.tsx').then((module) => module.ReviewDialog),
);
const DuplicateDialog = dynamic(() =>
  import('#/app/(admin)/refunds/_components/duplicate-dialog.tsx').then((module) => module.DuplicateDialog),
);

const RefundDialog = dynamic(() => import('../actions/refund-dialog.tsx').then((module) => module.RefundDialog));
const DismissRefundDialog = dynamic(() =>
  import('#/app/(admin)/refunds/_components/failed-refund-dialogs.tsx').then((module) => module.DismissRefundDialog),
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
    <div className="side-note flex flex-wrap items-center gap-2 mt-4 text-bad-ink [&_p]:flex-[1_1_260px]" data-tone="bad">
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
    <div className="side-note flex flex-wrap items-center gap-2 mt-4 text-bad-ink [&_p]:flex-[1_1_260px]" data-tone="bad">
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
    <div className="side-note flex flex-wrap items-center gap-2 mt-4 text-bad-ink [&_p]:flex-[1_1_260px]" data-tone="bad">
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
        <div
          key={charge.duplicateChargeId}
          className="side-note flex flex-wrap items-center gap-2 mt-4 text-bad-ink [&_p]:flex-[1_1_260px]"
          data-tone="bad"
        >
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

type Review = RouterOutputs['refunds']['reviews']['list']['items'][number];
type Charge = RouterOutputs['refunds']['duplicates']['list']['items'][number];
type Refund = Payment['refunds'][number];

/** The decision that an open dialog asks for. */
type Decision =
  | { readonly kind: 'refund again' }
  | { readonly kind: 'dismiss refund'; readonly refund: Refund }
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'duplicate'; readonly charge: Charge; readonly by: 'refund' | 'dismiss' };

/** The money of a payment that needs a decision by staff now, and the decision whose dialog is open. */
interface OpenMoneyState {
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
