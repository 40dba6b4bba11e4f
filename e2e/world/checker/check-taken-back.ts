import { isPaid, sumOf, wasListed } from './check-money.ts';
import type { Observations, PlantedEvent } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import { type Finding, money, type Violation, violation } from './violation.ts';

const LOST: readonly string[] = ['LOST', 'ACCEPTED', 'EXPIRED'];

/**
 * Checks that disputes and money taken back on record are those of which gateways know, decided as there. Where `differences` were planted,
 * time passed until lists were read again: disputes are on record, and a reversal that was there when its day was compared.
 */
export function* checkTakenBack(
  { planted, differences }: Observations,
  files: readonly PaymentObservations[],
): Generator<Violation> {
  const eventsOf = Map.groupBy(planted, ({ reference }) => reference);
  for (const file of files) {
    const events = file.attempts.flatMap(({ reference }) => eventsOf.get(reference) ?? []);
    const found = differences.length === 0 ? [] : findMissed(file, events);
    for (const [kind, what] of [...findMadeUp(file, events), ...found]) yield violation(kind, what, file);
  }
}

function* findMadeUp(file: PaymentObservations, events: readonly PlantedEvent[]): Generator<Finding> {
  const has = (kind: PlantedEvent['kind']): boolean => events.some((event) => event.kind === kind);
  for (const { gatewayDisputeId, state } of file.disputes) {
    const isRight =
      has('dispute_opened') && !(state === 'WON' && !has('dispute_won')) && !(LOST.includes(state) && has('dispute_won'));
    if (isRight) continue;
    const there = events.map(({ kind }) => kind).join(', ') || 'none';
    yield ['dispute_differs', `dispute ${gatewayDisputeId} is ${state}, and its gateway has ${there}`];
  }
  const { reversedAmount, refundedAmount } = file.payment;
  const mayBeGone = has('reversed') || has('dispute_lost') || (has('dispute_opened') && !has('dispute_won'));
  if (reversedAmount !== 0 && !mayBeGone) {
    yield ['dispute_differs', `${money(reversedAmount)} is taken back, and its gateway took nothing back`];
  }
  const received = Math.max(0, ...file.statements.map(({ paid }) => paid ?? 0));
  if (isPaid(file) && reversedAmount + refundedAmount > received) {
    const both = `${money(reversedAmount)} taken back and ${money(refundedAmount)} refunded`;
    yield ['dispute_differs', `${both} are more than the ${money(received)} received`];
  }
}

/** Disputes, their decisions, and money taken back of which a gateway knows, and our records do not. */
function* findMissed(file: PaymentObservations, events: readonly PlantedEvent[]): Generator<Finding> {
  const { payment, attempts, disputes, statements, refunds } = file;
  const known = statements.flatMap((entry) => entry.disputes);
  if (disputes.length < known.length) {
    yield [
      'dispute_differs',
      `${known.length} disputes are open or decided at its gateways, and ${disputes.length} are on record`,
    ];
  }
  for (const kind of ['won', 'lost'] as const) {
    const there = known.filter((state) => state === kind).length;
    const here = disputes.filter(({ state }) => (kind === 'won' ? state === 'WON' : LOST.includes(state))).length;
    if (here < there) yield ['dispute_differs', `${there} of its disputes are ${kind} at its gateways, and ${here} on record`];
  }
  // Of a duplicate charge under the same reference nothing of the payment is taken back.
  const paidBy = attempts.find(({ reference }) => reference === payment.gatewayReference)?.transactionId;
  const own = statements.find((entry) => entry.reference === payment.gatewayReference && entry.transactionId === paidBy);
  if (!isPaid(file) || own === undefined || own.reversed === 0) return;
  const reversal = events.find(({ kind }) => kind === 'reversed');
  // Statuses of gateways tell of a whole payment alone, and not of what is left of it after a refund.
  const isTold = reversal !== undefined && own.reversed === own.paid && wasListed(file, own, reversal.at);
  if (!own.disputes.includes('lost') && !isTold) return;
  // A refund that failed afterwards counted as returned when the gateway took back the rest.
  const returned = sumOf(refunds.filter(({ duplicate, mismatched }) => !duplicate && !mismatched).map(({ amount }) => amount));
  if (payment.reversedAmount + returned >= payment.amount) return;
  const here = `${money(payment.reversedAmount)} is on record as taken back`;
  yield ['dispute_differs', `${own.gateway} took back ${money(own.reversed)} of ${own.reference}, and ${here}`];
}
