import { packBody } from '@switchyard/payments/gateway-webhooks';
import { DAY_MS, HOUR_MS, lagos, type Outage } from './calendar.ts';
import { type PaymentHistory, paidAttempt } from './history.ts';
import type { Row } from './plan.ts';
import { bytea } from './plan.ts';
import type { Profile } from './profiles.ts';
import type { Random } from './random.ts';

/** Older gateway webhooks are not shown anywhere. */
const KEPT_MS = 7 * DAY_MS;

/** The gateway webhook about a payment, where it triggered the lookup. */
export function gatewayWebhooks(random: Random, history: PaymentHistory, endsAt: number): Row[] {
  const paid = paidAttempt(history);
  const { paidAt } = history.payment;
  const wasNotified = history.timeline.some((event) => event.type === 'payment.succeeded' && event.cause === 'gateway_webhook');
  if (paid === undefined || paidAt === null || !wasNotified || paidAt < endsAt - KEPT_MS) return [];
  const { merchantId, accountId, gateway, reference, transactionId, receivedAmount } = paid.row;
  const isPaystack = gateway === 'paystack';
  const event = isPaystack ? 'charge.success' : 'charge.completed';
  const money = { id: Number(transactionId), currency: 'NGN' };
  const data = isPaystack
    ? { ...money, reference, status: 'success', amount: Number(receivedAmount) * 100 }
    : { ...money, tx_ref: reference, status: 'successful', amount: receivedAmount };
  return [
    {
      merchantId,
      id: random.id(paidAt - 400),
      accountId,
      gateway,
      dedupeKey: `${event}:${transactionId}`,
      event,
      reference,
      transactionId,
      packedBody: bytea(packBody(JSON.stringify({ event, data }))),
      state: 'PROCESSED',
      receivedAt: paidAt - 400,
    },
  ];
}

/** Salaries are paid and spent from this day to the end of the month. */
const PAYDAY = 25;

/**
 * The creation times of a merchant's payments, in epoch milliseconds, oldest first, by the hour of the day, the day and the month.
 */
export function arrivals(
  random: Random,
  profile: Profile,
  span: { readonly from: number; readonly to: number },
  outage: Outage,
): number[] {
  const whole = profile.hours.reduce((sum, weight) => sum + weight, 0);
  const found: number[] = [];
  for (let hour = span.from; hour < span.to; hour += HOUR_MS) {
    const there = lagos(hour);
    const ordinary = (profile.perDay * (profile.hours[there.hour] ?? 0)) / whole;
    const payday = there.dayOfMonth >= PAYDAY ? 1.25 : 1;
    const expected = ordinary * (profile.days[there.weekday] ?? 1) * payday;
    const count = wholeNumber(random, expected * (0.85 + 0.3 * random.next()));
    for (let index = 0; index < count; index++) found.push(hour + random.int(0, HOUR_MS - 1));
  }
  return [...found, ...rush(random, profile, outage)].sort((first, second) => first - second);
}

/** The additional payments of the evening's sale. */
function rush(random: Random, profile: Profile, { rushFrom, rushTo }: Outage): number[] {
  const whole = profile.hours.reduce((sum, weight) => sum + weight, 0);
  const hours = (rushTo - rushFrom) / HOUR_MS;
  const perHour = (profile.perDay * (profile.hours[lagos(rushFrom).hour] ?? 0)) / whole;
  const count = Math.round(perHour * hours * (profile.rush - 1));
  return Array.from({ length: count }, () => random.int(rushFrom, rushTo - 1));
}

/** Rounds a fraction at random, so that the sum over many hours is right. */
function wholeNumber(random: Random, expected: number): number {
  return Math.max(0, Math.floor(expected + random.next()));
}
