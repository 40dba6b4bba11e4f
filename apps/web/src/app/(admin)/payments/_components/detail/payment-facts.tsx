'use client';

import { Copyable } from '#/components/copyable/copyable.tsx';
import { JsonView } from '#/components/copyable/json-view.tsx';
import { Fact, Facts } from '#/components/facts/facts.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { DISPUTE_LABELS, describeReversalCause } from '#/copy/disputes.ts';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { askedBy } from '#/copy/refunds.ts';
import { groupAmount, groupDecimal } from '#/format/amounts.ts';
import type { Payment } from './payment-head.tsx';

/** Requested, received, gateway fee, refunded, reversed, disputed. */
export function MoneyFacts({ payment }: { payment: Payment }) {
  const { money, currency, amount, refunds, disputes, people } = payment;
  const { received, fee, refunded, reversal } = money;
  const receivedCurrency = money.receivedCurrency ?? currency;
  return (
    <Facts>
      <Fact name="Amount">
        {currency} {groupAmount(amount)}
      </Fact>
      <Fact name="Received" strong={received !== null}>
        {received === null ? 'Nothing' : `${receivedCurrency} ${groupDecimal(received)}`}
      </Fact>
      <Fact name="Gateway fee">{fee === null ? null : `${receivedCurrency} ${groupDecimal(fee)}`}</Fact>
      <Fact name="Payment method">{money.paidMethod === null ? null : methodTitle(money.paidMethod)}</Fact>
      <Fact name="Paid">{money.paidAt === null ? null : <Moment value={money.paidAt} />}</Fact>
      <Fact name="Refunded">{refunded === 0n ? null : `${currency} ${groupAmount(refunded)}`}</Fact>
      <Fact name="Reversed by the gateway">
        {reversal.at === null ? null : (
          <>
            {receivedCurrency} {groupDecimal(reversal.amount)}, {describeReversalCause(reversal.cause)},{' '}
            <Moment value={reversal.at} />
          </>
        )}
      </Fact>
      {disputes.map((dispute) => (
        <Fact key={dispute.disputeId} name={DISPUTE_LABELS[dispute.state]}>
          {dispute.currency} {groupDecimal(dispute.amount)}
          {dispute.category !== null && `, ${dispute.category}`}, dispute {dispute.gatewayDisputeId} at{' '}
          {gatewayTitle(dispute.gateway)}, opened <Moment value={dispute.openedAt} />
          {dispute.state === 'NEEDS_RESPONSE' && dispute.dueAt !== null && (
            <>
              . Answer it in the gateway's dashboard by <Moment value={dispute.dueAt} />
            </>
          )}
        </Fact>
      ))}
      {refunds.map((refund) => (
        <Fact key={refund.refundId} name={REFUND_LABELS[refund.state]}>
          {refund.currency} {groupAmount(refund.amount)}, requested by {askedBy(refund.requestedBy, people)},{' '}
          <Moment value={refund.createdAt} />
          {refund.reason !== null && `. ${refund.reason}`}
          {refund.failureMessage !== null && `. ${refund.failureMessage}`}
          {refund.note !== null && `. Dismissed: ${refund.note}`}
        </Fact>
      ))}
    </Facts>
  );
}

const REFUND_LABELS: Record<Payment['refunds'][number]['state'], string> = {
  REQUESTED: 'Refund, requested',
  PROCESSING: 'Refund, processing',
  SUCCEEDED: 'Refund, succeeded',
  FAILED: 'Refund, failed',
  NEEDS_ATTENTION: 'Refund, needs attention',
};

/** True if the customer may still pay. */
function isOpen({ status }: Payment): boolean {
  return status === 'INITIATED' || status === 'PENDING';
}

/** The customer and the ids of a payment. */
export function PaymentFacts({ payment }: { payment: Payment }) {
  const { customer, metadata } = payment;
  return (
    <Facts>
      <Fact name="Gateway">{gatewayTitle(payment.gateway)}</Fact>
      <Fact name="Gateway reference">
        {payment.gatewayReference && <Copyable text={payment.gatewayReference} label="gateway reference" />}
      </Fact>
      <Fact name="Requested method">{payment.paymentMethod === null ? 'None' : methodTitle(payment.paymentMethod)}</Fact>
      <Fact name="Customer">
        <Copyable text={customer.email} label="e-mail address" />
      </Fact>
      <Fact name="Customer ID">{customer.id && <Copyable text={customer.id} label="customer id" />}</Fact>
      <Fact name="Phone">{customer.phone}</Fact>
      <Fact name="Country">{customer.country}</Fact>
      <Fact name="Order">
        <Copyable text={payment.merchantOrderId} label="order id" />
      </Fact>
      <Fact name="Merchant">{payment.merchantName}</Fact>
      <Fact name="Redirect URL">{payment.redirectUrl ?? "The merchant's default"}</Fact>
      <Fact name="Expires">{isOpen(payment) ? <Moment value={payment.expiresAt} /> : null}</Fact>
      <Fact name="Next check">{payment.nextCheckAt === null ? null : <Moment value={payment.nextCheckAt} />}</Fact>
      <Fact name="Updated">
        <Moment value={payment.updatedAt} />
      </Fact>
      <Fact name="Metadata">{metadata === null ? null : <JsonView text={metadata} label="metadata" />}</Fact>
    </Facts>
  );
}
