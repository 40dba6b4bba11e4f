import { DAY_MS, HOUR_MS, lagosMidnight } from './calendar.ts';
import { moment, type Row } from './plan.ts';
import type { Random } from './random.ts';
import type { Simulation } from './simulation.ts';

const DAYS = 7;
/** A day is reconciled some hours after it ended. */
const COMPARED_AFTER_MS = 4 * HOUR_MS;
const NONZERO_DIGITS = '123456789';
/** Of the transaction that only the gateway has. */
const MISSING_AMOUNT = 18_500;

/**
 * Reconciliation runs of the finished days; today's runs once it is over. One transaction of the day before yesterday is on a
 * gateway's statement and not in the ledger.
 */
export function reconciledDays({ random, plan }: Simulation, payments: readonly Row[]) {
  const runs: Row[] = [];
  const discrepancies: Row[] = [];
  const accounts = plan.merchants.flatMap(({ merchantId, accounts: own }) =>
    own.map(({ routable }) => ({ merchant_id: merchantId, account_id: routable.accountId, gateway: routable.gateway })),
  );
  for (let index = 1; index <= DAYS; index++) {
    const from = lagosMidnight(plan.endsAt) - index * DAY_MS;
    for (const [position, account] of accounts.entries()) {
      const key = { ...account, mode: 'test', day: moment(from + 12 * HOUR_MS).slice(0, 10) };
      const isMissing = index === 2 && position === 0;
      if (isMissing) discrepancies.push(missingHere(random, key, from));
      const comparedAt = moment(from + DAY_MS + COMPARED_AFTER_MS);
      runs.push({
        ...key,
        id: random.id(from + DAY_MS + COMPARED_AFTER_MS),
        zone: 'Africa/Lagos',
        state: 'DONE',
        attempts: 1,
        requested_by: 'system:reconciliation',
        requested_at: comparedAt,
        started_at: comparedAt,
        compared_at: comparedAt,
        totals: totalsOf(payments, key, from, isMissing),
        created_at: comparedAt,
        updated_at: moment(from + DAY_MS + COMPARED_AFTER_MS + 40_000),
      });
    }
  }
  return { reconciliation_run: runs, reconciliation_discrepancy: discrepancies };
}

function totalsOf(payments: readonly Row[], key: Row, from: number, isMissing: boolean): object[] {
  const own = payments.filter(
    (payment) =>
      payment.merchant_id === key.merchant_id &&
      payment.recommended_gateway === key.gateway &&
      payment.paid_at !== null &&
      String(payment.created_at) >= moment(from) &&
      String(payment.created_at) < moment(from + DAY_MS),
  );
  const sum = own.reduce((all, { received_amount }) => all + Number(received_amount), 0);
  const none = { count: 0, amount: '0' };
  const fees = own.reduce((all, { fee_amount }) => all + Number(fee_amount ?? 0), 0).toFixed(2);
  const statement = { count: own.length + (isMissing ? 1 : 0), amount: String(sum + (isMissing ? MISSING_AMOUNT : 0)) };
  const ledger = { count: own.length, amount: String(sum) };
  return [{ currency: 'NGN', ledger, statement, fees, ledgerRefunded: none, statementRefunded: none }];
}

function missingHere(random: Random, key: Row, from: number): Row {
  const transactionId = random.text(10, NONZERO_DIGITS);
  const reference = `terminal-${transactionId}`;
  const at = from + DAY_MS + COMPARED_AFTER_MS;
  return {
    ...key,
    id: random.id(at),
    kind: 'MISSING_HERE',
    subject: `transaction/${transactionId}`,
    state: 'OPEN',
    reference,
    transaction_id: transactionId,
    statement: {
      reference,
      transactionId,
      status: 'paid',
      amount: String(MISSING_AMOUNT),
      currency: 'NGN',
      createdAt: moment(from + 15 * HOUR_MS),
    },
    created_at: moment(at),
    updated_at: moment(at),
  };
}
