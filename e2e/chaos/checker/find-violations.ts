import { checkAllAnswers, checkAnswers, checkReferences } from './check-answers.ts';
import { checkAttempts } from './check-attempts.ts';
import { checkDeliveries, checkEvents } from './check-events.ts';
import { checkMoney, checkRefunds, checkSums } from './check-money.ts';
import { checkMoves } from './check-moves.ts';
import type { Observations } from './observations.ts';
import { observationsByPayment, orderKey, type PaymentObservations } from './payment-observations.ts';
import { type Finding, type Violation, violation } from './violation.ts';

/** Each finds what is wrong with one payment. */
const PAYMENT_CHECKS: readonly ((file: PaymentObservations) => Iterable<Finding>)[] = [
  checkMoney,
  checkRefunds,
  checkAnswers,
  checkAttempts,
  checkMoves,
  checkEvents,
];

/** Finds everything in which the three observations of a settled run contradict each other or the guarantees. */
export function findViolations(observations: Observations): Violation[] {
  const files = observationsByPayment(observations);
  const ofPayments = files.flatMap((file) =>
    PAYMENT_CHECKS.flatMap((check) => [...check(file)].map(([kind, what]) => violation(kind, what, file))),
  );
  const ofAll = [
    ...checkOrders(observations),
    ...checkAllAnswers(observations),
    ...checkReferences(observations),
    ...checkSums(observations, files),
    ...checkWork(observations),
  ];
  return [...ofPayments, ...ofAll.map(([kind, what]) => violation(kind, what)), ...checkDeliveries(observations, files)];
}

function* checkOrders({ payments }: Observations): Generator<Finding> {
  for (const [order, rows] of Map.groupBy(payments, orderKey)) {
    if (rows.length > 1) yield ['two_payments_for_an_order', `${order} has ${rows.length} payments`];
  }
}

function* checkWork({ leftJobs, wrongRollups }: Observations): Generator<Finding> {
  for (const { task, attempts, lastError } of leftJobs) {
    yield ['job_given_up', `${task} after ${attempts} attempts: ${lastError ?? 'no error'}`];
  }
  for (const { table, merchantId, period, sum } of wrongRollups) {
    yield ['report_sum_wrong', `${table} of merchant ${merchantId}, ${period}: ${sum}`];
  }
}
