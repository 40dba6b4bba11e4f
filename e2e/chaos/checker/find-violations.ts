import { checkAllAnswers, checkAnswers, checkReferences } from './check-answers.ts';
import { checkAttempts } from './check-attempts.ts';
import { checkDeliveries, checkEvents } from './check-events.ts';
import { checkMoney } from './check-money.ts';
import { checkMoves } from './check-moves.ts';
import { checkRefunds, checkSums } from './check-refunds.ts';
import type { Observations, PaymentRow } from './observations.ts';
import { observationsByPayment, orderKey, type PaymentObservations } from './payment-observations.ts';
import { type Violation, violation } from './violation.ts';

/** Finds everything in which the three observations of a settled run contradict each other or the guarantees. */
export function findViolations(observations: Observations): Violation[] {
  const files = observationsByPayment(observations);
  return [
    ...files.flatMap(checkCase),
    ...checkOrders(observations.payments),
    ...checkAllAnswers(observations),
    ...checkReferences(observations),
    ...checkDeliveries(observations, files),
    ...checkSums(observations, files),
    ...observations.leftJobs.map(({ task, attempts, lastError }) =>
      violation('job_given_up', `${task} after ${attempts} attempts: ${lastError ?? 'no error'}`),
    ),
    ...observations.wrongRollups.map(({ table, merchantId, period, sum }) =>
      violation('report_sum_wrong', `${table} of merchant ${merchantId}, ${period}: ${sum}`),
    ),
  ];
}

function checkCase(file: PaymentObservations): Violation[] {
  return [
    ...checkMoney(file),
    ...checkRefunds(file),
    ...checkAnswers(file),
    ...checkAttempts(file),
    ...checkMoves(file),
    ...checkEvents(file),
  ];
}

function checkOrders(payments: readonly PaymentRow[]): Violation[] {
  return [...Map.groupBy(payments, orderKey)].flatMap(([order, rows]) =>
    rows.length > 1 ? [violation('two_payments_for_an_order', `${order} has ${rows.length} payments`)] : [],
  );
}
