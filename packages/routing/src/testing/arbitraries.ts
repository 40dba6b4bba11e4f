import fc from 'fast-check';
import type { DecideInput } from '../decide/decide.ts';
import type { EffectiveRate, FeeSchedule, SuccessRate } from '../fee-types.ts';
import {
  type AccountHealth,
  type Assignment,
  FAULT_KINDS,
  type HealthReason,
  type PaymentMethod,
  type RoutableAccount,
  type RoutablePayment,
  type RoutingOverride,
  type Rule,
  type RuleSet,
  type RuleTarget,
} from '../types.ts';
import { aRule, DECIDED_AT } from './samples.ts';

/** Small worlds, so that random rules, accounts and payments meet often: three methods, two currencies, amounts up to 60. */
export const METHODS = ['CARD', 'TRANSFER', 'USSD'] as const satisfies readonly PaymentMethod[];
export const COUNTRIES = ['NG', 'GH', 'KE'] as const;
const ACCOUNT_IDS = ['paystack-a', 'paystack-b', 'flutterwave-a', 'monnify-a', 'squad-a'] as const;
const GATEWAYS = ['paystack', 'flutterwave', 'monnify', 'squad', 'unknown'] as const;

const accountId = fc.constantFrom(...ACCOUNT_IDS);
const accountIds = fc.uniqueArray(accountId, { minLength: 1, maxLength: 5 });
const method = fc.constantFrom(...METHODS);
const currency = fc.constantFrom('NGN', 'USD');

/** An amount band within 0 to 60, sometimes open-ended. */
export const bandArbitrary = fc.tuple(fc.nat(60), fc.nat(30), fc.boolean()).map(([from, width, open]) => ({
  from,
  to: open && width < 10 ? null : from + width,
}));

/** How a rule ranks its accounts, by any strategy. */
export const targetArbitrary: fc.Arbitrary<RuleTarget> = fc.oneof(
  accountIds.map((accounts) => ({ strategy: 'priority' as const, accounts })),
  fc
    .tuple(
      accountIds,
      fc.constantFrom({}, { fees: 'contract' as const }, { fees: 'effective' as const }),
      fc.constantFrom('lowest_cost' as const, 'expected_value' as const),
    )
    .map(([accounts, basis, strategy]) => ({
      strategy,
      accounts,
      ...basis,
    })),
  fc.tuple(accountIds, fc.integer({ min: 1, max: 50 }), fc.nat(50)).map(([accounts, minSamples, explorationPercent]) => ({
    strategy: 'success_rate' as const,
    accounts,
    minSamples,
    explorationPercent,
  })),
  fc.tuple(accountIds, fc.nat(100)).map(([accounts, first]) => ({
    strategy: 'weighted' as const,
    split: accounts.map((account, index) => ({ account, percent: sharesOf(accounts.length, first)[index] ?? 0 })),
  })),
);

function sharesOf(number: number, first: number): number[] {
  if (number === 1) return [100];
  return [first, 100 - first, ...Array.from({ length: number - 2 }, () => 0)];
}

const when: fc.Arbitrary<Rule['when']> = fc.record<Required<Pick<Rule['when'], 'currency' | 'methods' | 'amount' | 'countries'>>>(
  {
    currency,
    methods: fc.uniqueArray(method, { minLength: 1, maxLength: 3 }),
    amount: bandArbitrary,
    countries: fc.option(fc.uniqueArray(fc.constantFrom(...COUNTRIES), { minLength: 1, maxLength: 2 })),
  },
);

const ruleParts = fc.record({ when, target: targetArbitrary, enabled: fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0) });

/** Rule sets of up to twelve rules, with ids in order. */
export const ruleSetArbitrary: fc.Arbitrary<RuleSet> = fc
  .tuple(fc.array(ruleParts, { maxLength: 12 }), fc.uniqueArray(accountId, { maxLength: 5 }), fc.nat(99))
  .map(([parts, defaultOrder, version]) => ({
    version,
    rules: parts.map((part, index) => aRule(`rule-${index + 1}`, part.target, part.when, { enabled: part.enabled })),
    defaultOrder,
  }));

const TERM_KEYS = ['percentBasisPoints', 'flat', 'flatWaivedBelow', 'cap', 'vatBasisPoints'] as const;
const often = fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0);

const terms = {
  percentBasisPoints: fc.nat(500),
  flat: fc.nat(100),
  flatWaivedBelow: fc.option(fc.nat(50)),
  cap: fc.option(fc.nat(200)),
  vatBasisPoints: fc.constantFrom(0, 750),
};
const stampDuty = fc.record({ amount: fc.nat(50), from: fc.nat(60) });
const exception = fc.record(
  {
    ...terms,
    stampDuty,
    methods: fc.uniqueArray(method, { maxLength: 2 }),
    origin: fc.constantFrom(null, 'local' as const, 'international' as const),
    amount: bandArbitrary,
  },
  { requiredKeys: [...TERM_KEYS, 'methods', 'origin', 'amount'] },
);

/** Fee schedules, with and without exceptions, in the small worlds' amounts. */
export const scheduleArbitrary: fc.Arbitrary<FeeSchedule> = fc.record(
  { ...terms, stampDuty, exceptions: fc.array(exception, { maxLength: 3 }) },
  { requiredKeys: [...TERM_KEYS] },
);

const rate: fc.Arbitrary<EffectiveRate> = fc.record({
  currency,
  method,
  amount: bandArbitrary,
  rateMillionths: fc.nat(50_000),
});

const successRate: fc.Arbitrary<SuccessRate> = fc
  .record({ currency, method, amount: bandArbitrary, paid: fc.nat(60), unpaid: fc.nat(60) })
  .map(({ unpaid, ...known }) => ({ ...known, finished: known.paid + unpaid }));

/** A merchant's accounts: some of the five, some of them unable. */
export const accountsArbitrary: fc.Arbitrary<RoutableAccount[]> = fc.uniqueArray(
  fc
    .record({
      accountId,
      enabled: often,
      configured: often,
      currencies: fc.constantFrom(['NGN'], ['NGN', 'USD'], ['USD']),
      methods: fc.uniqueArray(method, { minLength: 1, maxLength: 3 }),
      minAmount: fc.nat(20),
      maxAmount: fc.option(fc.integer({ min: 20, max: 80 })),
      fees: fc.option(scheduleArbitrary),
      rates: fc.option(fc.array(rate, { maxLength: 3 })),
      successes: fc.option(fc.array(successRate, { maxLength: 3 })),
    })
    .map(({ rates, successes, ...account }) => ({
      ...account,
      ...(rates !== null && { effectiveRates: rates }),
      ...(successes !== null && { successRates: successes }),
    }))
    .map((account) => ({ ...account, gateway: account.accountId.split('-')[0] ?? '', label: `${account.accountId}-label` })),
  { selector: (account) => account.accountId, maxLength: 5, size: 'max' },
);

const WIDE = {
  enabled: true,
  configured: true,
  currencies: ['NGN', 'USD'],
  methods: [...METHODS],
  minAmount: 0,
  maxAmount: null,
} satisfies Partial<RoutableAccount>;

/** Accounts of which most can take any payment, so that many meet in one plan. */
const wideAccountsArbitrary: fc.Arbitrary<RoutableAccount[]> = fc
  .tuple(accountsArbitrary, fc.array(fc.nat(3), { minLength: 5, maxLength: 5 }))
  .map(([accounts, rolls]) => accounts.map((account, index) => (rolls[index] === 0 ? account : { ...account, ...WIDE })));

/** Often so few that two accounts have equal chances. */
const openings = fc.oneof(fc.nat(2), fc.nat(30));

const subject = { gateway: fc.constantFrom('Paystack', 'Flutterwave'), method: fc.option(method) };
const since = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
  .map((moment) => moment.toISOString());
const state = fc.constantFrom('degraded', 'down');
const count = fc.nat(5_000);
const demoted = { ...subject, state, since, again: fc.boolean() };

/** Every code there is, with any figures. */
export const healthReasonArbitrary: fc.Arbitrary<HealthReason> = fc.oneof(
  fc.record({ code: fc.constant('unused') }),
  fc.record({ code: fc.constant('healthy'), ...subject, succeeded: count, samples: count, spanMs: count }),
  fc.record({
    code: fc.constant('not_enough_data'),
    ...subject,
    faulted: count,
    samples: count,
    lookupsAnswered: count,
    lookupsFailed: count,
    spanMs: count,
  }),
  fc.record({
    code: fc.constant('recovered'),
    ...subject,
    since,
    proof: fc.constantFrom('probe_payments', 'lookups', 'others'),
    answered: count,
  }),
  fc.record({ code: fc.constant('probing'), ...subject, since, answered: count, needed: count }),
  fc.record({
    code: fc.constant('faults'),
    ...demoted,
    faulted: count,
    samples: count,
    spanMs: count,
    main: fc.option(fc.record({ kind: fc.constantFrom(...FAULT_KINDS), count })),
    unanswered: fc.boolean(),
  }),
  fc.record({ code: fc.constant('slow'), ...demoted, latencyMs: count, usualMs: fc.option(count) }),
  fc.record({ code: fc.constant('lookups_failed'), ...demoted, answered: count, failed: count, spanMs: count }),
  fc.record({ code: fc.constant('fails_for_others'), ...subject, state, since, faulted: count, samples: count }),
);

const healthWithoutSlot: fc.Arbitrary<AccountHealth> = fc.record({
  accountId,
  method: fc.option(method, { freq: 2 }),
  state: fc.constantFrom('healthy', 'degraded', 'down', 'probing'),
  why: fc.option(healthReasonArbitrary, { freq: 9 }),
  since: fc.constant('2026-11-20T14:02:00.000Z'),
  succeeded: openings,
  faulted: openings,
  paid: fc.nat(60),
  unpaid: fc.nat(60),
});

const health: fc.Arbitrary<AccountHealth> = fc
  .tuple(healthWithoutSlot, fc.option(fc.boolean()))
  .map(([entry, probeSlot]) => (probeSlot === null ? entry : { ...entry, probeSlot }));

const setOverride = fc.record({
  overrideId: fc.uuid(),
  accountId,
  method: fc.option(method),
  action: fc.constantFrom('drain', 'disable', 'force'),
  reason: fc.constant('Settlement is late.'),
  actor: fc.constant('ada@example.com'),
  expiresAt: fc.constantFrom(null, '2026-11-20T14:04:59Z', DECIDED_AT, '2026-11-20T15:05:01+01:00', '2026-11-21T00:00:00Z'),
});
const startsAt = fc.constantFrom('2026-11-19T00:00:00Z', DECIDED_AT, '2026-11-20T15:05:01+01:00', '2026-11-21T00:00:00Z');

/** At once or planned, ended or not, of one account or of a gateway. */
const override: fc.Arbitrary<RoutingOverride> = fc
  .tuple(setOverride, fc.option(startsAt), fc.option(fc.constantFrom(...GATEWAYS)))
  .map(([entry, start, gateway]) => ({
    ...(start === null ? entry : { ...entry, startsAt: start }),
    ...(gateway !== null && { gateway }),
  }));

export const paymentArbitrary: fc.Arbitrary<RoutablePayment> = fc.record({
  paymentId: fc.uuid(),
  currency,
  amount: fc.integer({ min: 1, max: 100 }),
  method: fc.option(method, { freq: 5 }),
  customerCountry: fc.option(fc.constantFrom(...COUNTRIES)),
  requestedGateway: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, fc.constantFrom(...GATEWAYS)),
});

const draw = { salt: fc.uuid(), percent: fc.integer({ min: 1, max: 50 }) };
const canary = fc.record({ ...draw, canaryId: fc.uuid(), arm: fc.constantFrom('draft', 'live') });
const holdout = fc.record({ ...draw, heldOut: fc.boolean() });
const assignmentArbitrary: fc.Arbitrary<Assignment | undefined> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: canary.map((drawn) => ({ canary: drawn })) },
  { weight: 1, arbitrary: holdout.map((drawn) => ({ holdout: drawn })) },
);

const unassignedArbitrary: fc.Arbitrary<Omit<DecideInput, 'ruleSet'> & { readonly ruleSet: RuleSet }> = fc.record({
  payment: paymentArbitrary,
  ruleSet: ruleSetArbitrary,
  accounts: fc.oneof(accountsArbitrary, wideAccountsArbitrary, wideAccountsArbitrary),
  health: fc.uniqueArray(health, { selector: (entry) => `${entry.accountId}|${entry.method}`, maxLength: 8, size: 'max' }),
  overrides: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: fc.array(override, { maxLength: 4 }) }),
  decidedAt: fc.constant(DECIDED_AT),
});

/** Everything a decision is taken from, with the rule set as written. */
export const worldArbitrary: typeof unassignedArbitrary = fc
  .tuple(unassignedArbitrary, assignmentArbitrary)
  .map(([world, assignment]) => (assignment === undefined ? world : { ...world, assignment }));
