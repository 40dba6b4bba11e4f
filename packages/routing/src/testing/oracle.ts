import type { DecideInput } from '../decide/decide.ts';
import { drawOf, drawOrder } from '../decide/split.ts';
import { feeInHundredths } from '../fee.ts';
import type { SuccessRate } from '../fee-types.ts';
import { matchesRule } from '../recompute/explain.ts';
import type { AccountHealth, IneligibleReason, RoutableAccount, RoutingOverride, RuleSet, RuleTarget } from '../types.ts';

export type World = Omit<DecideInput, 'ruleSet'> & { readonly ruleSet: RuleSet };

/** The expected result of a decision, computed from the written rules by an independent implementation. */
export interface Expected {
  readonly plan: readonly string[];
  readonly ineligible: ReadonlyMap<string, IneligibleReason>;
  readonly ruleId: string | null;
}

/** Computes from a generated case which accounts are tried, and in which order. */
export function expectDecision(world: World): Expected {
  const { payment, ruleSet, accounts } = world;
  const isAsked = payment.requestedGateway === null && world.assignment?.holdout?.heldOut !== true;
  const rule = isAsked ? ruleSet.rules.find((candidate) => matchesRule(candidate, payment)) : undefined;
  const ineligible = new Map<string, IneligibleReason>();
  for (const account of accounts) {
    const reason = whyIneligible(world, account);
    if (reason !== null) ineligible.set(account.accountId, reason);
  }
  const able = inLine(world, rule?.then ?? null).filter((accountId) => !ineligible.has(accountId));
  const forced = able.filter((accountId) => overridesOf(world, accountId).length > 0);
  const others = able.filter((accountId) => !forced.includes(accountId));
  const stateOf = (accountId: string) => healthOf(world, accountId)?.state ?? 'healthy';
  const slot = others.find((accountId) => isOfferedSlot(world, accountId));
  const inPlace = others.filter((accountId) => stateOf(accountId) === 'healthy' || accountId === slot);
  const last = others.filter((accountId) => !inPlace.includes(accountId));
  const states = ['degraded', 'probing', 'down'];
  const chance = (accountId: string) => {
    const { succeeded, faulted } = healthOf(world, accountId) ?? { succeeded: 0, faulted: 0 };
    return (succeeded + 1) / (succeeded + faulted + 2);
  };
  const byChance = (left: string, right: string) =>
    Math.abs(chance(left) - chance(right)) > 1e-9
      ? chance(right) - chance(left)
      : states.indexOf(stateOf(left)) - states.indexOf(stateOf(right));
  return { plan: [...forced, ...inPlace, ...last.toSorted(byChance)], ineligible, ruleId: rule?.ruleId ?? null };
}

export function healthOf({ health, payment }: World, accountId: string): AccountHealth | undefined {
  const own = health.filter((entry) => entry.accountId === accountId);
  return own.find(({ method }) => method === payment.method) ?? own.find(({ method }) => method === null);
}

function isOfferedSlot(world: World, accountId: string): boolean {
  const health = healthOf(world, accountId);
  return health?.state === 'probing' && health.probeSlot === true;
}

/** Overrides that are active for the payment. */
function overridesOf({ overrides, payment, decidedAt }: World, accountId: string): RoutingOverride[] {
  return overrides.filter(
    (override) =>
      override.accountId === accountId &&
      (override.method === null || override.method === payment.method) &&
      (override.startsAt === undefined || new Date(override.startsAt) <= new Date(decidedAt)) &&
      (override.expiresAt === null || new Date(override.expiresAt) > new Date(decidedAt)),
  );
}

function whyIneligible(world: World, account: RoutableAccount): IneligibleReason | null {
  const { currency, method, amount } = world.payment;
  if (!account.configured) return 'not_configured';
  if (!account.enabled) return 'disabled';
  if (!account.currencies.includes(currency)) return 'currency_not_supported';
  if (method !== null && !account.methods.includes(method)) return 'method_not_supported';
  if (amount < account.minAmount || amount > (account.maxAmount ?? amount)) return 'amount_out_of_range';
  const isTakenOut = overridesOf(world, account.accountId).some(({ action }) => action === 'drain' || action === 'disable');
  return isTakenOut ? 'disabled_by_operator' : null;
}

/** All accounts once: those that lead, then the default order, then those that nothing names. */
function inLine(world: World, target: RuleTarget | null): string[] {
  const { payment, ruleSet, accounts } = world;
  const all = accounts.map(({ accountId }) => accountId);
  const atRequested = (accountId: string) =>
    accounts.find((account) => account.accountId === accountId)?.gateway === payment.requestedGateway;
  const asked = payment.requestedGateway === null ? [] : [...ruleSet.defaultOrder, ...all].filter(atRequested);
  const leading = target === null ? asked : rank(world, target);
  return [...new Set([...leading, ...ruleSet.defaultOrder, ...all])].filter((accountId) => all.includes(accountId));
}

function rank(world: World, target: RuleTarget): string[] {
  const { payment, accounts } = world;
  const accountOf = (accountId: string) => accounts.find((account) => account.accountId === accountId);
  switch (target.strategy) {
    case 'priority':
      return [...target.accounts];
    case 'weighted': {
      const own = target.split.filter(({ account }) => accountOf(account) !== undefined);
      return drawOrder(
        own.map(({ account, percent }) => ({ member: account, weight: percent })),
        payment.paymentId,
      );
    }
    case 'lowest_cost': {
      const feeOf = (accountId: string) => feeAt(world, target, accountId);
      const own = target.accounts.filter((accountId) => accountOf(accountId) !== undefined);
      return own.toSorted((left, right) => (feeOf(left) === feeOf(right) ? 0 : feeOf(left) - feeOf(right)));
    }
    case 'expected_value':
      return rankByValue(world, target);
    case 'success_rate':
      return rankByConversion(world, target);
    default:
      return target satisfies never;
  }
}

/** The fee in hundredths; infinite where it is not known. */
function feeAt({ accounts, payment }: World, target: { readonly fees?: string }, accountId: string): number {
  const { fees, effectiveRates = [] } = accounts.find((account) => account.accountId === accountId) ?? { fees: null };
  const rate = effectiveRates.find(({ currency, method, amount: { from, to } }) => {
    return (
      currency === payment.currency && method === payment.method && from <= payment.amount && payment.amount <= (to ?? Infinity)
    );
  });
  if (target.fees === 'effective' && rate) return Math.round((payment.amount * rate.rateMillionths) / 10_000);
  return fees ? feeInHundredths(fees, payment) : Number.POSITIVE_INFINITY;
}

/** By the chance of success times what the fee leaves; unknown fees last. */
function rankByValue(world: World, target: Extract<RuleTarget, { strategy: 'lowest_cost' | 'expected_value' }>): string[] {
  const own = world.accounts.filter(({ accountId }) => target.accounts.includes(accountId));
  const chance = (accountId: string) => {
    const account = own.find((each) => each.accountId === accountId);
    const share = (rates: readonly SuccessRate[], prior: number, weight: number) => {
      const paid = rates.reduce((sum, rate) => sum + rate.paid, 0);
      const all = rates.reduce((sum, rate) => sum + rate.finished, 0);
      return all + weight === 0 ? 1 : (paid + weight * prior) / (all + weight);
    };
    const ratesOf = (accounts: readonly RoutableAccount[]) => accounts.flatMap(({ successRates }) => successRates ?? []);
    const average = share(ratesOf(own), 0, 0);
    const ofGateway = share(ratesOf(own.filter(({ gateway }) => gateway === account?.gateway)), average, 20);
    const ofAccount = share(account?.successRates ?? [], ofGateway, 20);
    const alike = (account?.successRates ?? []).filter(
      ({ currency, method, amount: { from, to } }) =>
        currency === world.payment.currency &&
        method === world.payment.method &&
        from <= world.payment.amount &&
        world.payment.amount <= (to ?? Infinity),
    );
    return share(alike, ofAccount, 20);
  };
  const worth = (accountId: string) => chance(accountId) * (world.payment.amount * 100 - feeAt(world, target, accountId));
  const named = target.accounts.filter((accountId) => own.some((account) => account.accountId === accountId));
  const known = named.filter((accountId) => feeAt(world, target, accountId) < Number.POSITIVE_INFINITY);
  return [...known.toSorted((a, b) => worth(b) - worth(a)), ...named.filter((accountId) => !known.includes(accountId))];
}

function rankByConversion(world: World, target: Extract<RuleTarget, { strategy: 'success_rate' }>): string[] {
  const { payment, accounts } = world;
  const own = target.accounts.filter((accountId) => accounts.some((account) => account.accountId === accountId));
  const finished = (accountId: string) => {
    const { paid, unpaid } = healthOf(world, accountId) ?? { paid: 0, unpaid: 0 };
    return { paid, all: paid + unpaid };
  };
  const share = (accountId: string) => finished(accountId).paid / finished(accountId).all;
  const measured = own.filter((accountId) => finished(accountId).all >= target.minSamples);
  const order = [
    ...measured.toSorted((left, right) => share(right) - share(left)),
    ...own.filter((accountId) => !measured.includes(accountId)),
  ];
  const fit = order.filter((accountId) => {
    const account = accounts.find((candidate) => candidate.accountId === accountId);
    if (account === undefined || whyIneligible(world, account) !== null) return false;
    const isForced = overridesOf(world, accountId).length > 0;
    return isForced || (healthOf(world, accountId)?.state ?? 'healthy') === 'healthy' || isOfferedSlot(world, accountId);
  });
  const explores = drawOf(payment.paymentId, 'explore') * 100 < target.explorationPercent;
  if (fit.length < 2 || !explores) return order;
  const others = fit.slice(1);
  const explored = others[Math.floor(drawOf(payment.paymentId, 'explore-which') * others.length)] ?? '';
  return [explored, ...order.filter((accountId) => accountId !== explored)];
}
