import { arrivals } from './arrivals.ts';
import { begin } from './begin.ts';
import { DAY_MS, HOUR_MS, lagosMidnight, MINUTE_MS, type Outage, outageBefore, WEEK_DAYS } from './calendar.ts';
import { reconciledDays } from './days.ts';
import { drawEnding, type Ending, finish } from './finish.ts';
import { createWeekHealth, type WeekHealth } from './health.ts';
import { customersOf } from './people.ts';
import type { Row, Week, WeekMerchant, WeekPlan } from './plan.ts';
import { type Random, seededRandom } from './random.ts';
import { canBeChargedTwice, chargeTwice, refundSome, stuckRefund } from './refunds.ts';
import { attemptRows, paidAttempt, paymentRow, type Story } from './story.ts';
import { gatewayWebhooks } from './webhooks.ts';

/** When the first payment may be, for a week that ends at `endsAt`. */
export function weekBegins(endsAt: number): number {
  return lagosMidnight(endsAt) - (WEEK_DAYS - 1) * DAY_MS;
}

/**
 * Five weeks of a few merchants in Lagos, the last of them in detail: their days and weeks, a Friday evening on which one
 * gateway failed and the others stood in, refunds, money that came twice, money that came short. The same plan gives the same
 * rows. Every decision is `decide`'s own, on what was in force and known at its moment, so that it can be computed again.
 */
export function generateWeek(plan: WeekPlan): Week {
  const random = seededRandom(plan.seed);
  const outage = outageBefore(plan.endsAt);
  const health = createWeekHealth(random, plan.merchants);
  const stories = tellAll(random, plan, outage, health);
  const incidents = tellIncidents(random, plan, stories, outage);
  const refunds = stories.flatMap((story) => (incidents.touched.has(story) ? [] : refundSome(random, story, plan)));
  const { health_bucket, health_event, health_status } = health.rows(plan.endsAt);
  const payment = stories.map(paymentRow);
  return {
    payment,
    attempt: stories.flatMap(attemptRows),
    timeline_event: stories.flatMap(({ timeline }) => timeline),
    refund: [...refunds, ...incidents.refunds],
    duplicate_charge: incidents.charges,
    merchant_event: stories.flatMap(({ announcements }) => announcements),
    gateway_webhook: stories.flatMap((story) => gatewayWebhooks(random, story, plan.endsAt)),
    health_bucket,
    health_event,
    health_status,
    ...reconciledDays(random, plan.merchants, payment, plan.endsAt),
  };
}

function tellAll(random: Random, plan: WeekPlan, outage: Outage, health: WeekHealth): Story[] {
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
      // Those at the front come more often.
      const customer = shop.customers[Math.floor(shop.customers.length * random.next() ** 1.7)] ?? shop.customers[0];
      const { merchant } = shop;
      const story = begin(random, { merchant, at, orderNumber: shop.orders, customer, outage, health, publicUrl });
      finish(random, story, { ending: endingOf(random, story, underpaid), endsAt, health });
      return story;
    });
}

/** One transfer, after the moment given for its merchant, comes short. */
function endingOf(random: Random, story: Story, underpaid: Map<WeekMerchant, number>): Ending {
  const from = underpaid.get(story.merchant);
  if (from === undefined || story.method !== 'TRANSFER' || story.createdAt < from) return drawEnding(random, story);
  underpaid.delete(story.merchant);
  return 'underpaid';
}

interface Incidents {
  readonly charges: readonly Row[];
  readonly refunds: readonly Row[];
  /** What has trouble enough. */
  readonly touched: ReadonlySet<Story>;
}

/** What everybody should find: a charge that came twice on the evening of the outage, an older one given back, a stuck refund. */
function tellIncidents(random: Random, plan: WeekPlan, stories: readonly Story[], outage: Outage): Incidents {
  const paid = stories.filter(({ state }) => state.status === 'SUCCESS' && !state.late);
  const [main] = plan.merchants;
  const fresh = paid.find(
    (story) =>
      story.merchant === main && canBeChargedTwice(story) && story.createdAt >= outage.from && story.createdAt < outage.to,
  );
  const old = paid.find(
    (story) => story.merchant !== main && canBeChargedTwice(story) && story.createdAt > plan.endsAt - 13 * DAY_MS,
  );
  // Of the two gateways only Paystack has refunds wait for somebody's help.
  const stuck = paid.findLast(
    (story) =>
      story.merchant === main &&
      paidAttempt(story)?.account.routable.gateway === 'paystack' &&
      story.state.updatedAt < plan.endsAt - 28 * HOUR_MS,
  );
  const again = (story: Story | undefined, refundedBy: string | null) =>
    story === undefined ? [] : [chargeTwice(random, story, { at: story.state.updatedAt + 6 * MINUTE_MS, refundedBy })];
  const doubled = [...again(fresh, null), ...again(old, plan.actor)];
  return {
    charges: doubled.map(({ charge }) => charge),
    refunds: [...doubled.flatMap(({ refunds }) => refunds), ...(stuck === undefined ? [] : stuckRefund(random, stuck, plan))],
    touched: new Set([fresh, old, stuck].flatMap((story) => story ?? [])),
  };
}
