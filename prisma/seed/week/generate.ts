import { arrivals } from './arrivals.ts';
import { begin } from './begin.ts';
import { DAY_MS, HOUR_MS, lagosMidnight, MINUTE_MS, type Outage, outageBefore, WEEK_DAYS } from './calendar.ts';
import { reconciledDays } from './days.ts';
import { drawEnding, type Ending, finish } from './finish.ts';
import { createWeekHealth, type WeekHealth } from './health.ts';
import { attemptRows, type PaymentHistory, paidAttempt, paymentRow } from './payment-history.ts';
import { customersOf } from './people.ts';
import type { Row, Week, WeekMerchant, WeekPlan } from './plan.ts';
import { type Random, seededRandom } from './random.ts';
import { canBeChargedTwice, chargeTwice, refundSome, stuckRefund } from './refunds.ts';
import { gatewayWebhooks } from './webhooks.ts';

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
  const outage = outageBefore(plan.endsAt);
  const health = createWeekHealth(random, plan.merchants);
  const histories = simulatePayments(random, plan, outage, health);
  const incidents = addIncidents(random, plan, histories, outage);
  const refunds = histories.flatMap((history) => (incidents.touched.has(history) ? [] : refundSome(random, history, plan)));
  const { health_bucket, health_event, health_status } = health.rows(plan.endsAt);
  const payment = histories.map(paymentRow);
  return {
    payment,
    attempt: histories.flatMap(attemptRows),
    timeline_event: histories.flatMap(({ timeline }) => timeline),
    refund: [...refunds, ...incidents.refunds],
    duplicate_charge: incidents.charges,
    merchant_event: histories.flatMap(({ announcements }) => announcements),
    gateway_webhook: histories.flatMap((history) => gatewayWebhooks(random, history, plan.endsAt)),
    health_bucket,
    health_event,
    health_status,
    ...reconciledDays(random, plan.merchants, payment, plan.endsAt),
  };
}

function simulatePayments(random: Random, plan: WeekPlan, outage: Outage, health: WeekHealth): PaymentHistory[] {
  const { endsAt, publicUrl } = plan;
  const span = { from: weekBegins(endsAt), to: endsAt };
  const shops = plan.merchants.map((merchant) => ({
    merchant,
    customers: customersOf(random, merchant.profile.customers),
    orders: 10_000,
  }));
  const moments = shops.flatMap((shop) => arrivals(random, shop.merchant.profile, span, outage).map((at) => ({ at, shop })));
  const underpaid = new Map<WeekMerchant, number>(
    shops.map(({ merchant }, index) => [merchant, endsAt - (index === 0 ? 19 * HOUR_MS : Number.NEGATIVE_INFINITY)]),
  );
  return moments
    .sort((first, second) => first.at - second.at)
    .map(({ at, shop }) => {
      shop.orders += random.int(1, 3);
      // Customers at the front of the list buy more often.
      const customer = shop.customers[Math.floor(shop.customers.length * random.next() ** 1.7)] ?? shop.customers[0];
      const { merchant } = shop;
      const history = begin(random, { merchant, at, orderNumber: shop.orders, customer, outage, health, publicUrl });
      finish(random, history, { ending: endingOf(random, history, underpaid), endsAt, health });
      return history;
    });
}

/** Makes one transfer of each merchant, after the given moment, an underpayment. */
function endingOf(random: Random, history: PaymentHistory, underpaid: Map<WeekMerchant, number>): Ending {
  const from = underpaid.get(history.merchant);
  if (from === undefined || history.method !== 'TRANSFER' || history.createdAt < from) return drawEnding(random, history);
  underpaid.delete(history.merchant);
  return 'underpaid';
}

interface Incidents {
  readonly charges: readonly Row[];
  readonly refunds: readonly Row[];
  /** Payments that already have an incident. */
  readonly touched: ReadonlySet<PaymentHistory>;
}

/** Incidents to find in the demo: a duplicate charge on the evening of the outage, an older refunded one, a stuck refund. */
function addIncidents(random: Random, plan: WeekPlan, histories: readonly PaymentHistory[], outage: Outage): Incidents {
  const paid = histories.filter(({ state }) => state.status === 'SUCCESS' && !state.late);
  const [main] = plan.merchants;
  const fresh = paid.find(
    (history) =>
      history.merchant === main &&
      canBeChargedTwice(history) &&
      history.createdAt >= outage.from &&
      history.createdAt < outage.to,
  );
  const old = paid.find(
    (history) => history.merchant !== main && canBeChargedTwice(history) && history.createdAt > plan.endsAt - 13 * DAY_MS,
  );
  // Of the two gateways only Paystack has refunds that need attention.
  const stuck = paid.findLast(
    (history) =>
      history.merchant === main &&
      paidAttempt(history)?.account.routable.gateway === 'paystack' &&
      history.state.updatedAt < plan.endsAt - 28 * HOUR_MS,
  );
  const again = (history: PaymentHistory | undefined, refundedBy: string | null) =>
    history === undefined ? [] : [chargeTwice(random, history, { at: history.state.updatedAt + 6 * MINUTE_MS, refundedBy })];
  const doubled = [...again(fresh, null), ...again(old, plan.actor)];
  return {
    charges: doubled.map(({ charge }) => charge),
    refunds: [...doubled.flatMap(({ refunds }) => refunds), ...(stuck === undefined ? [] : stuckRefund(random, stuck, plan))],
    touched: new Set([fresh, old, stuck].flatMap((history) => history ?? [])),
  };
}
