import { isPaid } from './check-money.ts';
import type { Observations, PlantedEvent } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import { money, type Violation, violation } from './violation.ts';

const LOST: readonly string[] = ['LOST', 'ACCEPTED', 'EXPIRED'];

/** Checks that disputes and money taken back on record are those of which gateways know, decided as there. */
export function* checkTakenBack({ planted }: Observations, files: readonly PaymentObservations[]): Generator<Violation> {
  const eventsOf = Map.groupBy(planted, ({ reference }) => reference);
  for (const file of files) {
    const events = file.attempts.flatMap(({ reference }) => eventsOf.get(reference) ?? []);
    const has = (kind: PlantedEvent['kind']): boolean => events.some((event) => event.kind === kind);
    for (const { gatewayDisputeId, state } of file.disputes) {
      const isRight =
        has('dispute_opened') && !(state === 'WON' && !has('dispute_won')) && !(LOST.includes(state) && has('dispute_won'));
      if (isRight) continue;
      const there = events.map(({ kind }) => kind).join(', ') || 'none';
      yield violation('dispute_differs', `dispute ${gatewayDisputeId} is ${state}, and its gateway has ${there}`, file);
    }
    const { reversedAmount, refundedAmount } = file.payment;
    const mayBeGone = has('reversed') || has('dispute_lost') || (has('dispute_opened') && !has('dispute_won'));
    if (reversedAmount !== 0 && !mayBeGone) {
      yield violation('dispute_differs', `${money(reversedAmount)} is taken back, and its gateway took nothing back`, file);
    }
    const received = Math.max(0, ...file.statements.map(({ paid }) => paid ?? 0));
    if (isPaid(file) && reversedAmount + refundedAmount > received) {
      const both = `${money(reversedAmount)} taken back and ${money(refundedAmount)} refunded`;
      yield violation('dispute_differs', `${both} are more than the ${money(received)} received`, file);
    }
  }
}
