'use client';

import { Badge, StatusBadge } from '#/components/badge/badge.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { isOpenDispute } from '#/copy/disputes.ts';
import { describeFailure } from '#/copy/failure-reasons.ts';
import { formatDecimal } from '#/format/amounts.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A payment with its timeline, as the server describes it. */
export type Payment = RouterOutputs['payments']['byId'];

/** The amount, the status, and what needs attention first. */
export function PaymentHead({ payment, asPage }: { payment: Payment; asPage: boolean }) {
  const Heading = asPage ? 'h1' : 'h2';
  const failure = describeFailure(payment);
  return (
    <header className="grid gap-1.5 justify-items-start">
      <div className="flex flex-wrap items-center gap-x-4.5 gap-y-1.5">
        <Heading className="text-2xl font-semibold leading-[1.25] tracking-[-0.015em] tabular-nums">
          <span className="text-ink-faint font-medium">{payment.currency}</span> {formatDecimal(payment.currency, payment.amount)}
        </Heading>
        <StatusBadge status={payment.displayStatus} />
        {payment.disputes.some(isOpenDispute) && (
          <Badge tone="bad" warns title="The customer disputes this payment">
            Disputed
          </Badge>
        )}
        {payment.late && (
          <Badge tone="wait" warns title="Paid after it had been marked failed">
            Paid late
          </Badge>
        )}
      </div>
      {failure !== null && (
        <p
          className="max-w-[72ch] text-bad-ink text-base wrap-anywhere data-[expired=true]:text-ink-quiet"
          data-expired={payment.displayStatus === 'EXPIRED'}
        >
          {failure}
        </p>
      )}
      <p className="text-ink-quiet text-sm">
        {payment.merchantOrderId} · {payment.merchantName} · <Moment value={payment.createdAt} />
      </p>
      <Copyable text={payment.paymentId} label="payment id" />
    </header>
  );
}
