'use client';

import { Badge, StatusBadge } from '#/components/badge/badge.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { isOpenDispute } from '#/copy/disputes.ts';
import { describeFailure } from '#/copy/failure-reasons.ts';
import { groupDecimal } from '#/format/amounts.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import classes from './payment-head.module.css';

/** A payment with its timeline, as the server describes it. */
export type Payment = RouterOutputs['payments']['byId'];

/** The amount, the status, and what needs attention first. */
export function PaymentHead({ payment, asPage }: { payment: Payment; asPage: boolean }) {
  const Heading = asPage ? 'h1' : 'h2';
  const failure = describeFailure(payment);
  return (
    <header className={classes.head}>
      <div className={classes.first}>
        <Heading className={classes.amount}>
          <span className={classes.currency}>{payment.currency}</span> {groupDecimal(payment.amount)}
        </Heading>
        <StatusBadge status={payment.status} refunded={payment.money.refunded} reversed={payment.money.reversal.amount} />
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
      {failure !== null && <p className={classes.failure}>{failure}</p>}
      <p className={classes.second}>
        {payment.merchantOrderId} · {payment.merchantName} · <Moment value={payment.createdAt} />
      </p>
      <Copyable text={payment.paymentId} label="payment id" />
    </header>
  );
}
