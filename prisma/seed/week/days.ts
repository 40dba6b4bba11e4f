import { DAY_MS, HOUR_MS, lagosMidnight } from './calendar.ts';
import { moment, type Row, type WeekMerchant } from './plan.ts';
import type { Random } from './random.ts';

const DAYS = 7;
/** A day is reconciled some hours after it ended. */
const COMPARED_AFTER_MS = 4 * HOUR_MS;
const SECRET_DIGITS = '123456789';

/**
 * Reconciliation runs of the finished days; today's runs once it is over. One transaction of the day before yesterday is on a
 * gateway's statement and not in the ledger.
 */
export function reconciledDays(random: Random, merchants: readonly WeekMerchant[], payments: readonly Row[], endsAt: number) {
  const [runs, differences]: [Row[], Row[]] = [[], []];
  for (let index = 1; index <= DAYS; index++) {
    const from = lagosMidnight(endsAt) - index * DAY_MS;
    for (const [place, { merchantId, accounts }] of merchants.entries()) {
      for (const [position, { routable }] of accounts.entries()) {
        const key = {
          merchant_id: merchantId,
          mode: 'test',
          account_id: routable.accountId,
          gateway: routable.gateway,
          day: dayOf(from),
        };
        const comparedAt = from + DAY_MS + COMPARED_AFTER_MS;
        const missing = index === 2 && place === 0 && position === 0 ? missingHere(random, key, from) : null;
        if (missing !== null) differences.push(missing.row);
        runs.push(runOf(random, key, { from, comparedAt, totals: totalsOf(payments, key, from, missing?.amount ?? 0) }));
      }
    }
  }
  return { reconciliation_run: runs, reconciliation_discrepancy: differences };
}

function dayOf(midnight: number): string {
  return moment(midnight + 12 * HOUR_MS).slice(0, 10);
}

function runOf(
  random: Random,
  key: Row,
  { from, comparedAt, totals }: { from: number; comparedAt: number; totals: object },
): Row {
  const began = from + DAY_MS + 4 * HOUR_MS;
  return {
    ...key,
    id: random.id(began),
    zone: 'Africa/Lagos',
    state: 'DONE',
    attempts: 1,
    rows_read: 0,
    leased_until: null,
    requested_by: 'system:reconciliation',
    requested_at: moment(began),
    started_at: moment(began),
    compared_at: moment(comparedAt),
    failure: null,
    totals,
    created_at: moment(began),
    updated_at: moment(began + 40_000),
  };
}

function totalsOf(payments: readonly Row[], key: Row, from: number, more: number): object[] {
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
  const theirs = { count: own.length + (more === 0 ? 0 : 1), amount: String(sum + more) };
  const ours = { count: own.length, amount: String(sum) };
  return [{ currency: 'NGN', ours, theirs, fees, oursRefunded: none, theirsRefunded: none }];
}

function missingHere(random: Random, key: Row, from: number): { readonly row: Row; readonly amount: number } {
  const transactionId = random.text(10, SECRET_DIGITS);
  const reference = `terminal-${transactionId}`;
  const amount = 18_500;
  const at = from + DAY_MS + 4 * HOUR_MS;
  const statement = {
    reference,
    transactionId,
    status: 'paid',
    amount: String(amount),
    currency: 'NGN',
    createdAt: moment(from + 15 * HOUR_MS),
  };
  const row = {
    ...key,
    id: random.id(at),
    kind: 'MISSING_HERE',
    subject: `transaction/${transactionId}`,
    state: 'OPEN',
    payment_id: null,
    refund_id: null,
    reference,
    transaction_id: transactionId,
    ledger: null,
    statement,
    created_at: moment(at),
    updated_at: moment(at),
  };
  return { row, amount };
}
