'use client';

import Link from 'next/link';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { JsonView } from '#/components/copyable/json-view.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { DISPUTE_LABELS, describeReversalCause } from '#/copy/disputes.ts';
import { gatewayTitle, methodTitle } from '#/copy/gateways.ts';
import { describePayer } from '#/copy/payers.ts';
import { describeReason, describeRefundWay, describeRequester, REFUND_LABELS } from '#/copy/refunds.ts';
import { formatMoney } from '#/format/amounts.ts';
import { describeDayAndClock } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import type { Payment } from './payment-head.tsx';

/** Requested, received, gateway fee, refunded, reversed, disputed. */
export function MoneyFacts({ payment }: { payment: Payment }) {
  const scope = useScope();
  const { money, currency, amount, refunds, disputes, people } = payment;
  const { received, fee, refunded, reversal } = money;
  const receivedCurrency = money.receivedCurrency ?? currency;
  return (
    <DescriptionList>
      <Description name="Amount">{formatMoney(currency, amount)}</Description>
      <Description name="Received" strong={received !== null}>
        {received === null ? 'Nothing' : formatMoney(receivedCurrency, received)}
      </Description>
      <Description name="Gateway fee">{fee === null ? null : formatMoney(receivedCurrency, fee)}</Description>
      <Description name="Payment method">{money.paidMethod === null ? null : methodTitle(money.paidMethod)}</Description>
      <Description name="Card">{cardOf(payment)}</Description>
      {payment.attempts.map(
        ({ attemptId, payer }) =>
          payer !== null && (
            <Description key={attemptId} name="Transfer from">
              {describePayer(payer)}
            </Description>
          ),
      )}
      <Description name="Paid">{money.paidAt === null ? null : <Moment value={money.paidAt} />}</Description>
      <Description name="Refunded">{refunded === 0n ? null : formatMoney(currency, refunded)}</Description>
      <Description name="Reversed by the gateway">
        {reversal.at === null ? null : (
          <>
            {formatMoney(receivedCurrency, reversal.amount)}, {describeReversalCause(reversal.cause)},{' '}
            <Moment value={reversal.at} />
          </>
        )}
      </Description>
      {disputes.map((dispute) => (
        <Description key={dispute.disputeId} name={DISPUTE_LABELS[dispute.state]}>
          <Link href={hrefIn(scope, `/disputes/${dispute.disputeId}`)}>{formatMoney(dispute.currency, dispute.amount)}</Link>
          {dispute.category !== null && `, ${dispute.category}`}, dispute {dispute.gatewayDisputeId} at{' '}
          {gatewayTitle(dispute.gateway)}, opened <Moment value={dispute.openedAt} />
          {dispute.state === 'NEEDS_RESPONSE' && dispute.dueAt !== null && (
            <>
              , due <Moment value={dispute.dueAt} describe={describeDayAndClock} />
            </>
          )}
        </Description>
      ))}
      {refunds.map((refund) => (
        <Description key={refund.refundId} name={`Refund, ${REFUND_LABELS[refund.state].word.toLowerCase()}`}>
          <Link href={hrefIn(scope, '/refunds', { q: refund.refundId })} prefetch={false}>
            {formatMoney(refund.currency, refund.amount)}
          </Link>
          {wayOf(refund, payment)}, requested by {describeRequester(refund.requestedBy, people)},{' '}
          <Moment value={refund.createdAt} />
          {[describeReason(refund), refund.failureMessage, refund.note && `Dismissed: ${refund.note}`]
            .filter((sentence) => sentence !== null)
            .map((sentence) => `. ${sentence.replace(/\.$/, '')}`)}
        </Description>
      ))}
    </DescriptionList>
  );
}

/** Where a refund's money goes. Only the payment's own money came from its card. */
function wayOf({ state, gateway, duplicate }: Payment['refunds'][number], payment: Payment): string {
  const way = describeRefundWay(state, gateway, duplicate ? null : cardOf(payment));
  return way === null ? '' : ` ${way}`;
}

/** The last four digits of the card that paid; null where they are not known. */
function cardOf({ timeline }: Payment): string | null {
  const detail = timeline.findLast(({ type }) => type === 'payment.succeeded')?.detail;
  const last4: unknown = typeof detail === 'object' && detail !== null ? Reflect.get(detail, 'cardLast4') : null;
  return typeof last4 === 'string' && /^\d{4}$/.test(last4) ? `•••• ${last4}` : null;
}

/** True if the customer may still pay. */
function isOpen({ status }: Payment): boolean {
  return status === 'INITIATED' || status === 'PENDING';
}

/** Time for which requests are kept, unless the merchant has another setting. */
const REQUESTS_KEPT_MS = 7 * 86_400_000;

/** The customer and the ids of a payment. */
export function PaymentFacts({ payment }: { payment: Payment }) {
  const scope = useScope();
  const { customer, metadata } = payment;
  const can = useCan();
  const isLogged = useNow() - payment.createdAt.getTime() < REQUESTS_KEPT_MS && can('key:read', payment.merchantId);
  return (
    <DescriptionList>
      <Description name="Gateway">{gatewayTitle(payment.gateway)}</Description>
      <Description name="Gateway reference">
        {payment.gatewayReference && <Copyable text={payment.gatewayReference} label="gateway reference" />}
      </Description>
      <Description name="Requested method">
        {payment.paymentMethod === null ? 'None' : methodTitle(payment.paymentMethod)}
      </Description>
      <Description name="Customer">
        <Copyable text={customer.email} label="e-mail address" />{' '}
        <Link href={hrefIn(scope, `/customers/${payment.paymentId}`)} prefetch={false} className="whitespace-nowrap">
          View customer
        </Link>
      </Description>
      <Description name="Customer ID">{customer.id && <Copyable text={customer.id} label="customer id" />}</Description>
      <Description name="Phone">{customer.phone}</Description>
      <Description name="Country">{customer.country}</Description>
      <Description name="Order">
        <Copyable text={payment.merchantOrderId} label="order id" />
      </Description>
      <Description name="Merchant">{payment.merchantName}</Description>
      <Description name="API requests">
        {isLogged ? (
          <Link href={hrefIn(scope, '/developers/requests', { payment: payment.paymentId })} prefetch={false}>
            Of the first 10 minutes
          </Link>
        ) : null}
      </Description>
      <Description name="Redirect URL">{payment.redirectUrl ?? "The merchant's default"}</Description>
      <Description name="Expires">{isOpen(payment) ? <Moment value={payment.expiresAt} tense="upcoming" /> : null}</Description>
      <Description name="Next check">
        {payment.nextCheckAt === null ? null : <Moment value={payment.nextCheckAt} tense="upcoming" />}
      </Description>
      <Description name="Updated">
        <Moment value={payment.updatedAt} />
      </Description>
      <Description name="Metadata">{metadata === null ? null : <JsonView text={metadata} label="metadata" />}</Description>
    </DescriptionList>
  );
}
