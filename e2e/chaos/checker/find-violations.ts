import { type CaseFile, caseFiles, grouped } from './case-files.ts';
import { checkAllAnswers, checkAnswers, checkReferences } from './check-answers.ts';
import { checkAttempts } from './check-attempts.ts';
import { checkDeliveries, checkEvents } from './check-events.ts';
import { checkMoney } from './check-money.ts';
import { checkMoves } from './check-moves.ts';
import { checkRefunds, checkSums } from './check-refunds.ts';
import { type Violation, violation } from './violation.ts';
import type { PaymentRow, Witnesses } from './witnesses.ts';

/** Everything on which the three witnesses of a run that has become quiet contradict each other, or what is promised. */
export function findViolations(witnesses: Witnesses): Violation[] {
  const files = caseFiles(witnesses);
  return [
    ...files.flatMap(checkCase),
    ...checkOrders(witnesses.payments),
    ...checkAllAnswers(witnesses),
    ...checkReferences(witnesses),
    ...checkDeliveries(witnesses, files),
    ...checkSums(witnesses, files),
    ...witnesses.leftJobs.map(({ task, attempts, lastError }) =>
      violation('job_given_up', `${task} after ${attempts} attempts: ${lastError ?? 'no error'}`),
    ),
    ...witnesses.wrongSums.map(({ table, merchantId, period, sum }) =>
      violation('report_sum_wrong', `${table} of merchant ${merchantId}, ${period}: ${sum}`),
    ),
  ];
}

function checkCase(file: CaseFile): Violation[] {
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
  return [...grouped(payments, ({ merchantId, merchantOrderId }) => `${merchantId} ${merchantOrderId}`)].flatMap(
    ([order, rows]) => (rows.length > 1 ? [violation('two_payments_for_an_order', `${order} has ${rows.length} payments`)] : []),
  );
}
