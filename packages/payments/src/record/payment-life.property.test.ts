import { addDecimals } from '@switchyard/db/decimals';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOnRecord, violationsOf } from '../testing/life/check-life.ts';
import { type Checkout, MONEY, OPENINGS, type Opening } from '../testing/life/checkouts.ts';
import {
  type Asked,
  endRefund,
  Life,
  type LifeOptions,
  loseDispute,
  refundReviewed,
  requestRefund,
} from '../testing/life/life.ts';
import { AMOUNT, EXPIRES_AT } from '../testing/life/payment-rows.ts';

/** `PROPERTY_TIMES=100 npm test -- unit payment-life` looks a hundred times as long. */
const RUNS = 1_000 * Number(process.env.PROPERTY_TIMES ?? 1);
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;

const options: fc.Arbitrary<LifeOptions> = fc.record({
  openings: fc.oneof(
    { weight: 1, arbitrary: fc.constant<Opening[]>(['opens']) },
    { weight: 2, arbitrary: fc.constantFrom<Opening[]>(['lost_and_open', 'opens'], ['used_reference', 'lost', 'opens']) },
    fc.array(fc.constantFrom(...(Object.keys(OPENINGS) as Opening[])), { minLength: 1, maxLength: 3 }),
  ),
  isListed: fc.boolean(),
  webhooksArrive: fc.boolean(),
  refundDuplicates: fc.boolean(),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

type Step = fc.Command<object, Life>;

/** A step of a payment's life, after which its rows break no guarantee. */
function step(label: string, act: (life: Life) => void): Step {
  return {
    check: () => true,
    run(_, life) {
      act(life);
      expect(violationsOf(life)).toEqual([]);
    },
    toString: () => label,
  };
}

/** The drawn one of some, whatever their number is; undefined of none. */
function pick<T>(some: readonly T[], drawn: number): T | undefined {
  return some[drawn % some.length];
}

/** Takes the drawn one of some out. */
function take<T>(some: T[], drawn: number): T[] {
  return some.length === 0 ? [] : some.splice(drawn % some.length, 1);
}

const nth = fc.nat(5);
const kind = fc.oneof(
  { weight: 3, arbitrary: fc.constant('exact' as const) },
  fc.constantFrom(...(Object.keys(MONEY) as (keyof typeof MONEY)[])),
);
const atCheckout = (label: string, act: (checkout: Checkout) => void) =>
  nth.map((at) =>
    step(`checkout ${at} ${label}`, ({ checkouts }) => {
      const checkout = pick(checkouts, at);
      if (checkout !== undefined) act(checkout);
    }),
  );

/** Asks a checkout about one of its transactions, as for a webhook, or about what it has. */
function ask(life: Life, at: number, transaction: number | null): Asked | null {
  const position = at % life.checkouts.length;
  const { transactionId = null } = transaction === null ? {} : (pick(life.checkouts[position]?.money ?? [], transaction) ?? {});
  return life.ask(position, transactionId, transactionId === null ? 'api' : 'gateway_webhook');
}

/** Applies an answer, and applies it again as another process would that read the attempt before and the payment after the first. */
function applyTwice(life: Life, asked: Asked, readsAgain: boolean): void {
  const rowsOf = ({ rows: { payment, attempts, duplicates, refunds } }: Life) => ({ payment, attempts, duplicates, refunds });
  life.apply(asked);
  const once = rowsOf(life);
  life.apply(readsAgain ? { ...asked, payment: once.payment } : asked);
  expect(rowsOf(life)).toEqual(once);
}

const gatewaySteps: readonly fc.Arbitrary<Step>[] = [
  atCheckout('declines', (checkout) => {
    checkout.isDeclined = true;
  }),
  atCheckout('is silent, or answers again', (checkout) => {
    checkout.isSilent = !checkout.isSilent;
  }),
  atCheckout('has its first money taken back, or given back', ({ money: [first] }) => {
    if (first !== undefined) first.reversed = !first.reversed;
  }),
  fc.constantFrom('1000.5', '2500').map((lost) => step(`a dispute of ${lost} is lost`, (life) => loseDispute(life, lost))),
];

const arrives = fc
  .tuple(nth, kind)
  .map(([at, of]) => step(`${of} arrives at checkout ${at}`, ({ checkouts }) => pick(checkouts, at)?.pay(of)));

const timePasses = fc.constantFrom(SECOND, 60 * SECOND, HOUR / 2, DAY, 8 * DAY).map((ms) =>
  step(`${ms / SECOND} s pass`, (life) => {
    life.now = new Date(life.now.getTime() + ms);
  }),
);

const isClosed = atCheckout('is closed', (checkout) => {
  checkout.isClosed = true;
});

const isAsked = fc.tuple(nth, fc.option(nth)).map(([at, transaction]) =>
  step(`checkout ${at} is asked about ${transaction ?? 'any'}, and its answer applied`, (life) => {
    const asked = ask(life, at, transaction);
    if (asked !== null) applyTwice(life, asked, true);
  }),
);

/** Processes that stand still between what they hear or decide and what they write. */
const standingSteps: readonly fc.Arbitrary<Step>[] = [
  fc.tuple(nth, fc.option(nth)).map(([at, transaction]) =>
    step(`a process asks checkout ${at} about ${transaction ?? 'any'}, and stands still`, (life) => {
      const asked = ask(life, at, transaction);
      if (asked !== null) life.asked.push(asked);
    }),
  ),
  nth.map((at) =>
    step(`process ${at} goes on with its answer`, (life) => {
      for (const asked of take(life.asked, at)) applyTwice(life, asked, false);
    }),
  ),
  fc.boolean().map((standStill) => step(`a check${standStill ? ' stands still' : ''}`, (life) => life.check(standStill))),
  nth.map((at) =>
    step(`check ${at} goes on`, ({ standing }) => {
      for (const write of take(standing, at)) write();
    }),
  ),
];

const refundSteps: readonly fc.Arbitrary<Step>[] = [
  fc.constantFrom('full' as const, 1n, 900n, 2_500n, 2_501n).map((amount) =>
    step(`a refund of ${amount} is asked for`, (life) => {
      const { status, reversal } = life.rows.payment;
      const isPaid = status === 'SUCCESS' || status === 'REFUNDED';
      const taken = life.rows.sumRefunds(life.rows.paying()?.transactionId ?? '');
      const left = isPaid ? BigInt(Math.floor(Number(AMOUNT) - Number(reversal.amount))) - taken : 0n;
      const wanted = amount === 'full' ? left : amount;
      expect(requestRefund(life, amount)).toBe(left > 0n && wanted <= left ? wanted : null);
    }),
  ),
  fc.tuple(nth, fc.constantFrom('SUCCEEDED' as const, 'FAILED' as const)).map(([at, state]) =>
    step(`refund ${at} is ${state}`, (life) => {
      const refund = pick(life.rows.refunds, at);
      if (refund !== undefined) endRefund(life, refund, state);
    }),
  ),
  fc.constant(step('staff refund what is under review', refundReviewed)),
];

const oneStep = fc.oneof(
  { weight: 6, arbitrary: fc.oneof(arrives, isAsked) },
  { weight: 3, arbitrary: fc.oneof(...gatewaySteps) },
  { weight: 3, arbitrary: fc.oneof(...standingSteps) },
  { weight: 3, arbitrary: fc.oneof(...refundSteps) },
  { weight: 1, arbitrary: fc.oneof(timePasses, isClosed) },
);

/** Lets every process go on, and asks every gateway for all money that it has. */
function settle(life: Life): void {
  for (const checkout of life.checkouts) checkout.isSilent = false;
  for (const asked of life.asked.splice(0)) life.apply(asked);
  for (const write of life.standing.splice(0)) write();
  for (const [at, { money }] of life.checkouts.entries()) {
    for (const transaction of [null, ...money.keys()]) {
      const asked = ask(life, at, transaction);
      if (asked !== null) life.apply(asked);
    }
  }
}

/** Payments as gateways have them at one moment. */
const moments = fc.record({
  arriving: fc.array(fc.tuple(nth, kind), { maxLength: 4 }),
  declined: fc.subarray([0, 1, 2]),
  closed: fc.subarray([0, 1, 2]),
  session: fc.constantFrom('open', 'over', 'ends_meanwhile'),
  /** True if several processes ask at once, and false if one asks after the other. */
  isAtOnce: fc.boolean(),
});
type Moment = typeof moments extends fc.Arbitrary<infer Of> ? Of : never;

/** One of each checkout, and one of each transaction. */
const ANSWERS_MAX = 3 + 4;

/** The end of a payment, of which all answers of a moment are applied in the order of their ranks. */
function endOf(drawn: LifeOptions, { arriving, declined, closed, session, isAtOnce }: Moment, ranks: readonly number[]): object {
  const life = new Life(drawn);
  for (const [at, of] of arriving) pick(life.checkouts, at)?.pay(of);
  for (const [at, checkout] of life.checkouts.entries()) {
    checkout.isDeclined = declined.includes(at);
    checkout.isClosed = closed.includes(at);
  }
  if (session === 'over') life.now = EXPIRES_AT;
  const questions = life.checkouts.flatMap(({ money }, at) =>
    [null, ...money.keys()].map((transaction) => ({ at, transaction })),
  );
  const inOrder = questions.map((each, index) => ({ ...each, rank: ranks[index] ?? 0 })).sort((a, b) => a.rank - b.rank);
  const atOnce = inOrder.map(({ at, transaction }) => ask(life, at, transaction));
  if (session === 'ends_meanwhile') life.now = EXPIRES_AT;
  for (const [index, { at, transaction }] of inOrder.entries()) {
    const asked = isAtOnce ? (atOnce[index] ?? null) : ask(life, at, transaction);
    if (asked !== null) life.apply(asked);
  }
  expect(violationsOf(life)).toEqual([]);
  for (const [at, { money }] of life.checkouts.entries()) {
    for (const each of money) expect(isOnRecord(life, each, `a${at}`)).toBe(true);
  }
  return { status: life.rows.payment.status, isPaid: life.rows.paying() !== undefined };
}

describe('whatever gateways, customers and our processes do', () => {
  test('a payment breaks no guarantee, and in the end all money that its gateways have is on record', () => {
    fc.assert(
      fc.property(options, fc.commands([oneStep], { maxCommands: 60, size: 'max' }), (drawn, commands) => {
        const life = new Life(drawn);
        fc.modelRun(() => ({ model: {}, real: life }), commands);
        settle(life);
        expect(violationsOf(life)).toEqual([]);
        const { rows, checkouts, disputes } = life;
        for (const [at, { money }] of checkouts.entries()) {
          for (const each of money) if (!each.reversed) expect(isOnRecord(life, each, `a${at}`)).toBe(true);
        }
        const own = checkouts.flatMap(({ money }) => money).find((each) => each.transactionId === rows.paying()?.transactionId);
        if (own === undefined || disputes.length > 0) return;
        const taken = own.reversed ? addDecimals(String(AMOUNT), `-${rows.sumRefunds(own.transactionId)}`) : '0';
        expect(rows.payment.reversal.amount).toBe(taken);
      }),
      { numRuns: RUNS },
    );
  });

  test('answers of one moment come to the same end in any order, as those of one process or of several', () => {
    const ranks = fc.array(fc.nat(), { minLength: ANSWERS_MAX, maxLength: ANSWERS_MAX });
    fc.assert(
      fc.property(options, moments, ranks, ranks, (drawn, moment, one, other) => {
        expect(endOf(drawn, moment, one)).toEqual(endOf(drawn, moment, other));
      }),
      { numRuns: RUNS },
    );
  });

  test('checks alone find money that arrives until two and a half days after the session, and are never further apart than promised', () => {
    const arrivals = fc.array(fc.tuple(nth, fc.integer({ min: 0, max: HOUR / 2 + 58 * HOUR })), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(options, arrivals, fc.array(fc.boolean(), { maxLength: 10 }), (drawn, arriving, silences) => {
        const life = new Life(drawn);
        const begunAt = life.now.getTime();
        let awaited = arriving;
        let checks = 0;
        for (let next = life.rows.nextCheckAt; next !== null; next = life.rows.nextCheckAt) {
          const longest = life.now < EXPIRES_AT ? HOUR / 2 : 12 * HOUR;
          expect(next.getTime() - life.now.getTime()).toBeLessThanOrEqual(1.15 * longest + SECOND);
          const passed = next.getTime() - begunAt;
          for (const [at] of awaited.filter(([, ms]) => ms <= passed)) pick(life.checkouts, at)?.pay('exact');
          awaited = awaited.filter(([, ms]) => ms > passed);
          life.now = next;
          for (const each of life.checkouts) each.isSilent = silences[checks] ?? false;
          life.check(false);
          expect(violationsOf(life)).toEqual([]);
          checks += 1;
        }
        expect(checks).toBeLessThanOrEqual(70);
        for (const [at] of awaited) pick(life.checkouts, at)?.pay('exact');
        const isPaid = life.checkouts.some(({ money }) => money.length > 0);
        expect(life.rows.payment.status).toBe(isPaid ? 'SUCCESS' : 'FAILED');
        for (const [
          at,
          {
            money: [first],
          },
        ] of life.checkouts.entries()) {
          if (first !== undefined) expect(isOnRecord(life, first, `a${at}`)).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
