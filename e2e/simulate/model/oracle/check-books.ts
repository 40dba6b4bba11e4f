import type { ViolationKind } from '../../../world/checker/violation.ts';
import type { PaymentRow } from '../store/rows.ts';
import { type Checkout, reversalNotice } from '../world/gateways.ts';
import type { ModelObservations } from './model-observations.ts';
import { type ModelViolation, modelViolation } from './model-violation.ts';
import { hundredths } from './read-tables.ts';

type Found = readonly [kind: ViolationKind, paymentId: string, what: string];

/** Compares disputes and money taken back, as they are on record, with the books of the gateways. */
export function checkBooks({ tables, books, acknowledgedNotices }: ModelObservations): ModelViolation[] {
  const says = new Map(books.map(({ accountId, quirks }) => [accountId, quirks.saysReversed]));
  const payments = [...tables.payments.all()];
  const checkouts = new Map(books.flatMap((own) => own.checkouts.map((checkout) => [checkout.reference, checkout] as const)));
  const found: Found[] = [];
  for (const payment of payments) {
    const paid = payment.gatewayReference === null ? undefined : checkouts.get(payment.gatewayReference);
    if (paid === undefined || (payment.status !== 'SUCCESS' && payment.status !== 'REFUNDED')) continue;
    const isTold = says.get(paid.accountId) === true && isReversalTold(paid, acknowledgedNotices);
    found.push(...checkDisputes(payment, paid, tables, acknowledgedNotices), ...checkReversal(payment, paid, isTold));
  }
  return found.map(([kind, paymentId, what]) => modelViolation(kind, what, paymentId));
}

/** True if a webhook of the reversal was acknowledged: the gateway is asked, and says that the money went back. */
function isReversalTold({ charges: [charge], reversedAt }: Checkout, acknowledged: ReadonlySet<string>): boolean {
  return charge !== undefined && reversedAt !== null && acknowledged.has(reversalNotice(charge.transactionId));
}

/** A gateway takes back the whole: what is left of it by refunds that have not failed is on record. */
function* checkReversal(payment: PaymentRow, { reversedAt, gateway }: Checkout, isTold: boolean): Generator<Found> {
  const reversed = hundredths(payment.reversedAmount);
  if (!isTold || reversed === Number(payment.amount) * 100) return;
  const at = new Date(reversedAt ?? 0).toISOString();
  yield ['dispute_differs', payment.id, `${gateway} took back everything at ${at}, and ${reversed / 100} is on record`];
}

function* checkDisputes(
  payment: PaymentRow,
  { disputes, gateway, reversedAt }: Checkout,
  tables: ModelObservations['tables'],
  acknowledged: ReadonlySet<string>,
): Generator<Found> {
  const reversed = hundredths(payment.reversedAmount);
  const lost = disputes.filter(({ isLost }) => isLost);
  if (lost.length === 0 && reversedAt === null && reversed !== 0) {
    yield ['dispute_differs', payment.id, `${reversed / 100} is taken back, and ${gateway} took nothing back`];
  }
  for (const { id, isLost } of disputes) {
    // One that no webhook announced is found by reading lists, which is no part of the model.
    if (!acknowledged.has(`${id}-decided`)) continue;
    const row = tables.disputes.by('payment', payment.id).find(({ gatewayDisputeId }) => gatewayDisputeId === id);
    const state = isLost ? 'LOST' : 'WON';
    if (row?.state !== state)
      yield ['dispute_differs', payment.id, `${gateway} decided ${id} as ${state}, and it is ${row?.state ?? 'not'} on record`];
    if (!isLost) continue;
    const refunds = tables.refunds.by('payment', payment.id).filter(({ duplicate, mismatched }) => !duplicate && !mismatched);
    const standing = refunds
      .filter((refund) => refund.state !== 'FAILED')
      .reduce((sum, refund) => sum + Number(refund.amount) * 100, 0);
    const failed = refunds.reduce((sum, refund) => sum + Number(refund.amount) * 100, 0) - standing;
    const whole = Number(payment.amount) * 100;
    // A refund that failed after the dispute counted as returned when the dispute took back the rest.
    if (reversed + standing > whole || reversed + standing + failed < whole) {
      yield [
        'dispute_differs',
        payment.id,
        `${id} took back ${whole / 100}, of which ${standing / 100} was refunded, and ${reversed / 100} is on record as taken back`,
      ];
    }
  }
}
