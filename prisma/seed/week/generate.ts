import { snapshotId } from '@switchyard/rule-sets/store-inputs';
import { begin } from './begin.ts';
import { DAY_MS, HOUR_MS, lagosMidnight, outageBefore, WEEK_DAYS } from './calendar.ts';
import { drawEnding, finish } from './finish.ts';
import { createWeekHealth } from './health.ts';
import { type PaymentHistory, paidAttempt, type Simulation } from './history.ts';
import type { Row, Week, WeekMerchant, WeekPlan } from './plan.ts';
import { customersOf } from './profiles.ts';
import { seededRandom } from './random.ts';
import { canBeChargedTwice, chargeTwice, openRefund, refundSome } from './refunds.ts';
import { arrivals, gatewayWebhooks } from './webhooks.ts';

const UNDERPAID_MS = 19 * HOUR_MS;

/** The earliest payment of a week that ends at `endsAt`. */
export function weekBegins(endsAt: number): number {
  return lagosMidnight(endsAt) - (WEEK_DAYS - 1) * DAY_MS;
}

/**
 * Five weeks of a few merchants in Lagos, the last in detail: daily and weekly patterns, a Friday evening on which one gateway
 * failed and the others took over, refunds, duplicate charges, underpayments. The same plan gives the same rows. Every decision is
 * made by `decide` with the configuration and health of its moment, so that it can be recomputed.
 */
export function generateWeek(plan: WeekPlan): Week {
  const random = seededRandom(plan.seed);
  // Ids of its own, so that the payments do not depend on how often states change.
  const health = createWeekHealth(seededRandom(plan.seed + 1), plan.merchants);
  const simulation = { random, plan, outage: outageBefore(plan.endsAt), health };
  const histories = simulatePayments(simulation);
  const incidents = addIncidents(simulation, histories);
  const refunds = histories.flatMap((history) => (incidents.touched.has(history) ? [] : refundSome(simulation, history)));
  return {
    account_snapshot: plan.merchants.map(snapshotOf),
    payment: histories.map(({ payment }) => payment),
    payment_check: histories.flatMap(({ payment }) => checkOf(payment)),
    attempt: histories.flatMap(({ attempts }) => attempts.map(({ row }) => row)),
    timeline_event: histories.flatMap(({ timeline }) => timeline),
    refund: [...refunds, ...incidents.refunds],
    duplicate_charge: incidents.charges,
    merchant_event: histories.flatMap(({ announcements }) => announcements),
    gateway_webhook: histories.flatMap((history) => gatewayWebhooks(random, history, plan.endsAt)),
    ...simulation.health.rows(plan.endsAt),
  };
}

/** A merchant's accounts, which its payments name. */
function snapshotOf({ merchantId, accounts }: WeekMerchant): Row {
  const routable = accounts.map((account) => account.routable);
  return { merchantId, id: snapshotId(routable), accounts: routable };
}

/** The check to come of a payment that is still open, once its session has ended. */
function checkOf({ merchantId, id, status, review, expiresAt }: PaymentHistory['payment']): Row[] {
  if (status !== 'PENDING' || review !== null) return [];
  return [{ merchantId, paymentId: id, nextCheckAt: expiresAt, initiating: false }];
}

function simulatePayments(simulation: Simulation): PaymentHistory[] {
  const { random, plan, outage } = simulation;
  const { endsAt, merchants } = plan;
  const span = { from: weekBegins(endsAt), to: endsAt };
  const orders = merchants.flatMap((merchant) => {
    const customers = customersOf(random, merchant.profile.customers);
    let orderNumber = 10_000;
    return arrivals(random, merchant.profile, span, outage).map((at) => {
      orderNumber += random.int(1, 3);
      // Customers at the front of the list buy more often.
      const customer = customers[Math.floor(customers.length * random.next() ** 1.7)] ?? customers[0];
      return { merchant, at, orderNumber, customer };
    });
  });
  let isUnderpaid = false;
  return orders
    .sort((first, second) => first.at - second.at)
    .map((order) => {
      const history = begin(simulation, order);
      // The first merchant has an underpaid transfer in its last day.
      const isForIt =
        history.merchant === merchants[0] && history.payment.paymentMethod === 'TRANSFER' && order.at >= endsAt - UNDERPAID_MS;
      const ending = isForIt && !isUnderpaid ? 'underpaid' : drawEnding(random, history);
      isUnderpaid ||= isForIt;
      finish(simulation, history, ending);
      return history;
    });
}

interface Incidents {
  readonly charges: readonly Row[];
  readonly refunds: readonly Row[];
  /** Payments that already have an incident. */
  readonly touched: ReadonlySet<PaymentHistory | undefined>;
}

/** To find in the demo: a duplicate charge on the evening of the outage, an older refunded one, a stuck refund and a failed one. */
function addIncidents(simulation: Simulation, histories: readonly PaymentHistory[]): Incidents {
  const { plan, outage } = simulation;
  const [main] = plan.merchants;
  const paid = histories.filter(({ payment }) => payment.status === 'SUCCESS' && !payment.late);
  const doubtful = paid.filter(canBeChargedTwice);
  const fresh = doubtful.find(
    ({ merchant, payment: { createdAt } }) => merchant === main && createdAt >= outage.from && createdAt < outage.to,
  );
  const old = doubtful.find(({ merchant, payment }) => merchant !== main && payment.createdAt > plan.endsAt - 13 * DAY_MS);
  const refundable = paid.filter(({ merchant, payment }) => merchant === main && payment.updatedAt < plan.endsAt - 28 * HOUR_MS);
  // Only Paystack, of the two gateways, has refunds that need attention.
  const stuck = refundable.findLast((history) => paidAttempt(history)?.row.gateway === 'paystack');
  const failed = refundable.findLast((history) => history !== stuck && history !== fresh);
  const doubled = [
    ...(fresh === undefined ? [] : [chargeTwice(simulation, fresh, false)]),
    ...(old === undefined ? [] : [chargeTwice(simulation, old, true)]),
  ];
  const openRefunds = [
    ...(stuck === undefined ? [] : [openRefund(simulation, stuck, 'NEEDS_ATTENTION')]),
    ...(failed === undefined ? [] : [openRefund(simulation, failed, 'FAILED')]),
  ];
  return {
    charges: doubled.map(({ charge }) => charge),
    refunds: [...doubled.flatMap(({ refunds }) => refunds), ...openRefunds],
    touched: new Set([fresh, old, stuck, failed]),
  };
}
