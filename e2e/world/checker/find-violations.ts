import {
  checkAllAnswers,
  checkAnswers,
  checkAttempts,
  checkMoves,
  checkReferences,
  checkRefundRequests,
  checkRefusals,
} from './check-answers.ts';
import { checkDeliveries, checkEvents } from './check-events.ts';
import { checkMoney, checkRefunds, checkSums, checkTakenBack } from './check-money.ts';
import { checkPayouts, checkReconciliation } from './check-payouts.ts';
import type { Observations } from './observations.ts';
import { observationsByPayment, orderKey, type PaymentObservations } from './payment-observations.ts';
import { type Finding, type Violation, violation } from './violation.ts';

/** Each finds what is wrong with one payment. */
const PAYMENT_CHECKS: readonly ((file: PaymentObservations) => Iterable<Finding>)[] = [
  checkMoney,
  checkRefunds,
  checkRefundRequests,
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
    ...checkInTime(observations),
    ...checkWebhooks(observations),
    ...checkReconciliation(observations, files),
  ];
  return [
    ...ofPayments,
    ...ofAll.map(([kind, what]) => violation(kind, what)),
    ...checkRefusals(observations, files),
    ...checkTakenBack(observations, files),
    ...checkPayouts(observations, files),
    ...checkDeliveries(observations, files),
  ];
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

/** Checks that what has to be done was done, and soon enough once nothing failed. */
function* checkInTime({ openAfterSessions, unrecordedMoney, unfinished }: Observations): Generator<Finding> {
  for (const id of openAfterSessions) {
    yield ['settled_late', `payment ${id} was open three quarters of an hour after every session had ended, without faults`];
  }
  for (const reference of unrecordedMoney) {
    yield ['settled_late', `money received under ${reference} was not on record in time, without faults`];
  }
  if (unfinished !== null) yield ['never_settled', `work was left after five days without faults: ${unfinished}`];
}

/** Checks that every webhook that was answered 200 is stored. */
function* checkWebhooks({ acknowledged, storedWebhooks }: Observations): Generator<Finding> {
  const stored = new Map(storedWebhooks.map((row) => [row.accountId, row.stored]));
  for (const [account, count] of Object.entries(acknowledged)) {
    const kept = stored.get(account) ?? 0;
    if (kept < count) yield ['webhook_lost', `account ${account}: ${count} were acknowledged, ${kept} are stored`];
  }
}
