import type { Refund } from '@switchyard/db/client';
import type { PaymentRow } from '../store/rows.ts';
import type { BookedRefund, Checkout, GatewayAccountBooks } from '../world/gateways.ts';
import { feeByPriceList } from './fee-by-price-list.ts';
import type { ModelObservations } from './model-observations.ts';
import { type ModelViolation, type ModelViolationKind, modelViolation } from './model-violation.ts';
import { hundredths } from './read-tables.ts';

type Found = readonly [kind: ModelViolationKind, paymentId: string, what: string];

/** Compares refunds by their references, fees and disputes on record with the books of the gateways. */
export function checkBooks({ tables, books, acknowledgedNotices }: ModelObservations): ModelViolation[] {
  const payments = [...tables.payments.all()];
  const checkouts = new Map(
    books.flatMap((own) => own.checkouts.map((checkout) => [checkout.reference, { own, checkout }] as const)),
  );
  const booked = Map.groupBy(
    books.flatMap((own) => own.checkouts.flatMap(({ refunds }) => refunds)),
    ({ note }) => note,
  );
  const found: Found[] = [];
  for (const refund of tables.refunds.all()) found.push(...checkRefund(refund, booked.get(refund.reference) ?? []));
  for (const payment of payments) {
    const paid = payment.gatewayReference === null ? undefined : checkouts.get(payment.gatewayReference);
    if (paid === undefined || (payment.status !== 'SUCCESS' && payment.status !== 'REFUNDED')) continue;
    found.push(
      ...checkFee(payment, paid.own, paid.checkout),
      ...checkDisputes(payment, paid.checkout, tables, acknowledgedNotices),
    );
  }
  return found.map(([kind, paymentId, what]) => modelViolation(kind, what, paymentId));
}

/** A refund of ours is at its gateway once, and stands there as here. */
function* checkRefund({ id, state, amount, paymentId }: Refund, booked: readonly BookedRefund[]): Generator<Found> {
  const paidOut = booked.filter(({ fails }) => !fails);
  if (paidOut.length > 1) yield ['refund_differs', paymentId, `refund ${id} was paid out ${paidOut.length} times`];
  const [first] = paidOut;
  if (state === 'SUCCEEDED' && first === undefined)
    yield ['refund_differs', paymentId, `refund ${id} succeeded, and no gateway paid it out`];
  if (state === 'FAILED' && first !== undefined)
    yield ['refund_differs', paymentId, `refund ${id} failed, and ${first.id} paid it out`];
  if (first !== undefined && first.amount !== Number(amount) * 100) {
    yield ['refund_differs', paymentId, `refund ${id} is of ${amount}, and ${first.id} paid out ${first.amount / 100}`];
  }
}

function* checkFee(
  { id, feeAmount }: PaymentRow,
  { quirks }: GatewayAccountBooks,
  { charges: [charge] }: Checkout,
): Generator<Found> {
  if (charge === undefined) return;
  const fee = feeByPriceList(charge.amount, quirks);
  const recorded = feeAmount === null ? null : hundredths(feeAmount);
  if (recorded !== fee) yield ['fee_differs', id, `the gateway took ${fee / 100}, and ${feeAmount ?? 'no fee'} is on record`];
}

function* checkDisputes(
  payment: PaymentRow,
  { disputes, gateway }: Checkout,
  tables: ModelObservations['tables'],
  acknowledged: ReadonlySet<string>,
): Generator<Found> {
  const reversed = hundredths(payment.reversedAmount);
  const lost = disputes.filter(({ isLost }) => isLost);
  if (lost.length === 0 && reversed !== 0) {
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
