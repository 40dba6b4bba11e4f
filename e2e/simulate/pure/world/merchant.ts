import type {
  AccountHealth,
  PaymentMethod,
  RoutableAccount,
  RoutablePayment,
  RoutingOverride,
  Rule,
  RuleSet,
  RuleTarget,
} from '@switchyard/routing';
import { BEGIN, type Draws, HOUR, MINUTE } from './draws.ts';

/** A merchant's routing configuration. */
export interface MerchantScript {
  readonly ruleSet: RuleSet;
  readonly accounts: readonly RoutableAccount[];
  readonly overrides: readonly RoutingOverride[];
  readonly refundDuplicates: boolean;
}

const GATEWAYS = ['paystack', 'flutterwave', 'monnify', 'squad', 'kora', 'interswitch'] as const;
const METHODS: readonly [PaymentMethod, ...PaymentMethod[]] = ['CARD', 'TRANSFER', 'USSD'];
const COUNTRIES = ['NG', 'GH', 'KE'] as const;
/** Edges of amounts, of which payments have several exactly. */
const EDGES = [0, 500, 2_500, 5_000, 50_000] as const;

/** Draws a merchant: few rules in most worlds, many in some. */
export function drawMerchant(draws: Draws): MerchantScript {
  const count = draws.between(2, 6);
  const accounts = GATEWAYS.slice(0, count).map((gateway): RoutableAccount => drawAccount(draws, gateway));
  const ids = accounts.map(({ accountId }) => accountId);
  const rules = draws.chance(0.05) ? draws.between(30, 120) : draws.between(0, 4);
  return {
    ruleSet: {
      version: 1,
      rules: Array.from({ length: rules }, (_, index) => drawRule(draws, index, ids)),
      defaultOrder: shuffled(draws, ids).slice(0, draws.between(1, count)),
    },
    accounts,
    overrides: draws.chance(0.3) ? [drawOverride(draws, ids), drawOverride(draws, ids)] : [],
    refundDuplicates: draws.chance(0.6),
  };
}

function drawAccount(draws: Draws, gateway: string): RoutableAccount {
  const often = (): boolean => draws.chance(0.95);
  return {
    accountId: `${gateway}-main`,
    gateway,
    label: `${gateway}-main`,
    enabled: often(),
    configured: often(),
    currencies: draws.chance(0.4) ? ['NGN', 'USD'] : ['NGN'],
    methods: often() ? METHODS : ['CARD'],
    minAmount: draws.chance(0.8) ? 0 : draws.pick(EDGES),
    maxAmount: draws.chance(0.8) ? null : 50_000,
    fees: draws.chance(0.9)
      ? {
          percentBasisPoints: draws.between(100, 200),
          flat: draws.chance(0.5) ? 100 : 0,
          flatWaivedBelow: draws.chance(0.7) ? 2_500 : null,
          cap: draws.chance(0.7) ? draws.between(20, 2_000) : null,
          vatBasisPoints: 750,
        }
      : null,
  };
}

function drawRule(draws: Draws, index: number, ids: readonly string[]): Rule {
  const from = draws.pick(EDGES);
  return {
    ruleId: `r${index}`,
    name: `r${index}`,
    enabled: draws.chance(0.8),
    when: {
      currency: draws.chance(0.9) ? 'NGN' : 'USD',
      methods: draws.chance(0.6) ? METHODS : ['CARD'],
      amount: { from, to: draws.chance(0.5) ? null : from + draws.pick(EDGES) },
      countries: draws.chance(0.6) ? null : [draws.pick(COUNTRIES)],
    },
    then: drawTarget(draws, shuffled(draws, ids).slice(0, draws.between(1, 3))),
  };
}

function drawTarget(draws: Draws, accounts: readonly string[]): RuleTarget {
  const strategy = draws.pick(['priority', 'weighted', 'success_rate', 'lowest_cost'] as const);
  switch (strategy) {
    case 'weighted': {
      const share = Math.floor(100 / accounts.length);
      const split = accounts.map((account, at) => ({ account, percent: at === 0 ? 100 - share * (accounts.length - 1) : share }));
      return { strategy, split };
    }
    case 'success_rate':
      return { strategy, accounts, minSamples: draws.pick([0, 10, 30]), explorationPercent: draws.pick([0, 10]) };
    default:
      return { strategy, accounts };
  }
}

function drawOverride(draws: Draws, ids: readonly string[]): RoutingOverride {
  const expiresAt = draws.weighted(
    [
      ['never', 50],
      ['at_once', 20],
    ],
    'later',
  );
  return {
    overrideId: 'o1',
    accountId: ids[draws.between(0, ids.length - 1)] ?? '',
    method: draws.chance(0.7) ? null : draws.pick(METHODS),
    action: draws.pick(['drain', 'disable', 'force'] as const),
    reason: 'Settlement is late.',
    actor: 'ada@example.com',
    startsAt: new Date(BEGIN - HOUR).toISOString(),
    expiresAt: expiresAt === 'never' ? null : new Date(expiresAt === 'at_once' ? BEGIN : BEGIN + MINUTE).toISOString(),
  };
}

/** Health of the accounts when one payment is decided. */
export function drawHealth(draws: Draws, accounts: readonly RoutableAccount[]): readonly AccountHealth[] {
  if (draws.chance(0.4)) return [];
  return accounts.flatMap(({ accountId }): AccountHealth[] => {
    if (draws.chance(0.3)) return [];
    const state = draws.weighted(
      [
        ['degraded', 10],
        ['down', 10],
        ['probing', 12],
      ],
      'healthy',
    );
    const entry = {
      accountId,
      method: draws.chance(0.3) ? ('CARD' as const) : null,
      state,
      why: { code: 'unused' } as const,
      since: SINCE,
      succeeded: draws.between(0, 20),
      faulted: draws.between(0, 20),
      probePercent: 0,
      paid: draws.between(0, 30),
      unpaid: draws.between(0, 10),
    };
    return [state === 'probing' ? { ...entry, probeSlot: draws.chance(0.6) } : entry];
  });
}

const SINCE = new Date(BEGIN - MINUTE).toISOString();

/** A payment as routing knows it. */
export function drawRoutable(
  draws: Draws,
  { paymentId, amount, currency }: { readonly paymentId: string; readonly amount: bigint; readonly currency: string },
): RoutablePayment {
  return {
    paymentId,
    currency,
    amount: Number(amount),
    method: draws.chance(0.92) ? draws.pick(METHODS) : null,
    customerCountry: draws.chance(0.5) ? draws.pick(COUNTRIES) : null,
    requestedGateway: draws.chance(0.08) ? draws.pick(GATEWAYS) : null,
  };
}

/** Amounts that lie exactly on the edge of a rule, an account or a fee now and then. */
export function drawAmount(draws: Draws): bigint {
  return draws.chance(0.3) ? BigInt(Math.max(1, draws.pick(EDGES) + draws.between(-1, 1))) : BigInt(draws.spread(1, 500_000));
}

function shuffled(draws: Draws, ids: readonly string[]): string[] {
  const left = [...ids];
  const order: string[] = [];
  while (left.length > 0) order.push(...left.splice(draws.between(0, left.length - 1), 1));
  return order;
}
