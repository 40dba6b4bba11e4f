import { findViolations } from '../../../world/checker/find-violations.ts';
import type { StatementEntry } from '../../../world/checker/observations.ts';
import type { GatewayAccountBooks } from '../world/gateways.ts';
import { checkBooks } from './check-books.ts';
import { feeByPriceList } from './fee-by-price-list.ts';
import type { ModelObservations } from './model-observations.ts';
import { fromWorld, type ModelViolation, modelViolation } from './model-violation.ts';

/** Finds everything in which the tables, the gateways' books and the answers of a world contradict each other. */
export function checkModel(observations: ModelObservations): ModelViolation[] {
  const { books, refusals, errors, payouts } = observations;
  const statements = books.flatMap(statementsOf);
  const calls = books.flatMap(({ journal }) => journal);
  const granted = refusals.filter(({ isRefused }) => !isRefused);
  return [
    ...findViolations({ ...observations, statements, calls }).map(fromWorld),
    ...checkBooks(observations),
    ...payouts,
    ...granted.map(({ what, paymentId, got }) => modelViolation('not_refused', `${what}, and is answered: ${got}`, paymentId)),
    ...errors.map((what) => modelViolation('never_answered', what)),
  ];
}

/** A gateway's books as statements, a line for each checkout. */
function statementsOf({ gateway, accountId, quirks, checkouts }: GatewayAccountBooks): StatementEntry[] {
  return checkouts.map(({ reference, requested, currency, charges: [charge], refunds, reversedAt }) => ({
    gateway,
    accountId,
    reference,
    requested,
    currency: charge?.currency ?? currency,
    transactionId: charge?.transactionId ?? null,
    paid: charge?.amount ?? null,
    paidAt: charge?.at ?? null,
    fee: charge === undefined ? null : feeByPriceList(charge.amount, quirks),
    reversed: reversedAt === null ? 0 : (charge?.amount ?? 0),
    // Compared with the books of the model.
    disputes: [],
    refunds: refunds.map(({ id, note, amount, fails }) => {
      return { id, words: [note], amount, status: fails ? 'failed' : 'paid_out' };
    }),
  }));
}
