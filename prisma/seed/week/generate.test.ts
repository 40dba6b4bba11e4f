import { isDeepStrictEqual } from 'node:util';
import { compileRuleSet, decide } from '@switchyard/routing/decide';
import { recompute } from '@switchyard/routing/recompute';
import { accountsIdOf, readAccounts, readInputs } from '@switchyard/routing/stored-inputs';
import { readDecision } from '@switchyard/rule-sets/read-inputs';
import { toMethod } from '@switchyard/rule-sets/snapshot';
import { describe, expect, test } from 'vitest';
import { demoMerchants, demoRules } from '../demo-plan.ts';
import { HOUR_MS, outageBefore } from './calendar.ts';
import { generateWeek } from './generate.ts';
import type { Row, WeekMerchant, WeekPlan } from './plan.ts';
import { PROFILES } from './profiles.ts';
import { seededRandom } from './random.ts';
import { weekAccount } from './seed-week.ts';

const ENDS_AT = Date.parse('2026-11-21T07:00:00Z');
const settings = {
  webUrl: '',
  sandboxUrl: 'http://127.0.0.1:4010',
  demoFile: '',
  withWeek: true,
};

function merchantOf(profile: (typeof PROFILES)[number], index: number): WeekMerchant {
  const ids = seededRandom(index + 1);
  const [plan] = demoMerchants(settings);
  const accounts = [plan.paystack, plan.flutterwave].map((account) => weekAccount(ids.id(0), account));
  const [paystack = '', flutterwave = ''] = accounts.map(({ routable }) => routable.accountId);
  const ruleSet = compileRuleSet({ ...demoRules(paystack, flutterwave), version: 1 });
  return { merchantId: ids.id(0), profile, accounts, ruleSets: [{ from: 0, ruleSet }], sessionMinutes: 60 };
}

const plan: WeekPlan = {
  seed: 22,
  endsAt: ENDS_AT,
  publicUrl: 'http://localhost:3000',
  actor: 'staff:someone',
  merchants: PROFILES.map(merchantOf),
};
const week = generateWeek(plan);
const byPayment = (rows: readonly Row[]) => Map.groupBy(rows, ({ paymentId }) => paymentId);

describe('generated history', () => {
  test('is the same for the same seed, and differs for another', () => {
    const small = { ...plan, merchants: plan.merchants.slice(-2) };
    const one = generateWeek(small);
    expect(isDeepStrictEqual(generateWeek(small), one)).toBe(true);
    expect(generateWeek({ ...small, seed: 8 }).payment[0]).not.toEqual(one.payment[0]);
  });

  test('has about twelve thousand payments, none created or changed at or after its end, and nothing due except the stuck refund', () => {
    expect(week.payment.length).toBeGreaterThan(11_000);
    expect(week.payment.length).toBeLessThan(14_000);
    const late = week.payment.filter(({ createdAt, updatedAt }) => Number(createdAt) >= ENDS_AT || Number(updatedAt) >= ENDS_AT);
    expect(late.filter(({ status, review }) => status !== 'PENDING' || review !== null)).toEqual([]);
    const followed = week.refund.filter(({ nextCheckAt }) => nextCheckAt !== null);
    expect(followed.map(({ state }) => state)).toEqual(['NEEDS_ATTENTION']);
    const open = week.payment.filter(({ status, review }) => status === 'PENDING' && review === null);
    expect(open.length).toBeGreaterThan(0);
    expect(week.payment_check.map(({ paymentId }) => paymentId)).toEqual(open.map(({ id }) => id));
    expect(week.payment_check.filter(({ nextCheckAt }) => Number(nextCheckAt) <= ENDS_AT)).toEqual([]);
  });

  test('routes each payment with the real rules, so that every decision can be recomputed', () => {
    const ruleSets = new Map(plan.merchants.map(({ merchantId, ruleSets: [first] }) => [merchantId, first?.ruleSet]));
    const accounts = new Map(
      week.account_snapshot.map((row) => [row.id, readAccounts(JSON.parse(JSON.stringify(row.accounts)))]),
    );
    const wrong = week.payment.filter(({ id, merchantId, amount, paymentMethod, packedDecision, recommendedGateway, ruleId }) => {
      const ruleSet = ruleSets.get(String(merchantId));
      const stored = readDecision({ packedDecision: Buffer.from(String(packedDecision).slice(2), 'hex') }).inputs;
      const payment = { paymentId: String(id), currency: 'NGN', amount: Number(amount), method: toMethod(String(paymentMethod)) };
      const routable = { ...payment, customerCountry: 'NG', requestedGateway: null };
      const inputs = readInputs(stored, routable, accounts.get(accountsIdOf(stored)) ?? null);
      if (ruleSet === undefined || inputs === null) throw new Error('a payment of an unknown merchant or among unknown accounts');
      const again = decide({ ...inputs, ruleSet });
      const isSame = isDeepStrictEqual(recompute({ inputs, ruleSet }), again) && again.ruleId === ruleId;
      return !isSame || !again.plan.some(({ gateway }) => gateway === recommendedGateway);
    });
    expect(wrong).toEqual([]);
  });

  test('is consistent for each payment: its timeline ends in its status, its attempts match it', () => {
    const timelines = byPayment(week.timeline_event);
    const attempts = byPayment(week.attempt);
    const wrong = week.payment.filter((payment) => {
      const events = timelines.get(payment.id) ?? [];
      const own = attempts.get(payment.id) ?? [];
      const end = events.findLast(({ toStatus }) => toStatus !== null);
      const paid = own.filter(({ state, duplicate }) => state === 'PAID' && duplicate === false);
      const last = own.at(-1);
      return !(
        end?.toStatus === payment.status &&
        end?.id === payment.statusEventId &&
        end?.createdAt === payment.statusChangedAt &&
        payment.version === events.length &&
        paid.length === (payment.paidAt === null || payment.review !== null ? 0 : 1) &&
        own.every(({ position }, index) => position === index) &&
        (payment.currentAttemptId === null ||
          (last?.id === payment.currentAttemptId && last?.gateway === payment.recommendedGateway))
      );
    });
    expect(wrong).toEqual([]);
  });

  test('refunds no more than was paid, and all of it where the payment is refunded', () => {
    const returned = byPayment(week.refund.filter(({ state, duplicate }) => state === 'SUCCEEDED' && duplicate === false));
    const wrong = week.payment.filter(({ id, status, amount, refundedAmount }) => {
      const sum = (returned.get(id) ?? []).reduce((all, refund) => all + Number(refund.amount), 0);
      return refundedAmount !== sum || sum > Number(amount) || (status === 'REFUNDED') !== (sum === amount);
    });
    expect(wrong).toEqual([]);
  });
});

describe('its Friday evening', () => {
  const outage = outageBefore(ENDS_AT);
  const during = ({ createdAt }: Row): boolean => Number(createdAt) >= outage.from && Number(createdAt) < outage.to;

  test.each([
    ['2026-11-21T07:00:00Z', '2026-11-20'],
    ['2026-11-20T19:00:00Z', '2026-11-13'],
    ['2026-11-19T12:00:00Z', '2026-11-13'],
  ])('seen from %s was that of %s', (endsAt, day) => {
    expect(new Date(outageBefore(Date.parse(endsAt)).from).toISOString()).toContain(day);
  });

  test('takes one gateway down and recovers it, and the other takes over its payments', () => {
    const states = week.health_event.filter(({ method }) => method === 'CARD').map(({ toState }) => toState);
    expect(states).toContain('down');
    expect(states.at(-1)).toBe('healthy');
    const troubled = week.payment.filter(during);
    const fellBack = byPayment(week.attempt.filter(({ state, gateway }) => state === 'UNKNOWN' && gateway === outage.gateway));
    const caught = troubled.filter(({ id, currentAttemptId }) => fellBack.has(id) && currentAttemptId !== null);
    expect(caught.length).toBeGreaterThan(10);
    const paid = troubled.filter(({ status }) => status === 'SUCCESS').length;
    expect(paid / troubled.length).toBeGreaterThan(0.7);
  });

  test('leaves items to find: a duplicate charge, an underpayment, a stuck refund, a failed one', () => {
    expect(week.duplicate_charge.map(({ state }) => state)).toEqual(['OPEN', 'REFUNDED']);
    const attempts = new Map(week.attempt.map((attempt) => [attempt.id, attempt]));
    for (const { attemptId, transactionId, reference, accountId } of week.duplicate_charge) {
      expect(attempts.get(attemptId)).toMatchObject({ state: 'PAID', duplicate: true, transactionId, reference, accountId });
    }
    expect(week.payment.filter(({ review }) => review === 'OPEN')).toHaveLength(1);
    expect(week.refund.filter(({ state }) => state === 'NEEDS_ATTENTION')).toHaveLength(1);
    const failed = week.refund.filter(({ state }) => state === 'FAILED');
    const open = failed.filter(({ resolvedAt }) => resolvedAt === null);
    expect(open.length).toBeGreaterThanOrEqual(1);
    expect(open.length).toBeLessThan(6);
    expect(failed.some(({ resolvedAt }) => resolvedAt !== null)).toBe(true);
  });
});

test('payments follow the hours of the day: few at four in the morning, most in the afternoon and the evening', () => {
  const hours = Map.groupBy(week.payment, ({ createdAt }) => new Date(Number(createdAt) + HOUR_MS).getUTCHours());
  expect((hours.get(13)?.length ?? 0) / (hours.get(4)?.length ?? 1)).toBeGreaterThan(10);
});
