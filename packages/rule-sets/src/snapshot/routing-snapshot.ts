import { unlessUnavailable } from '@switchyard/db';
import type { GatewayAccount, Mode, RoutingOverride as StoredOverride } from '@switchyard/db/client';
import { readConfigurationFault } from '@switchyard/merchants/configuration-fault';
import {
  type Assignment,
  type CustomerDraw,
  PAYMENT_METHODS,
  type PaymentMethod,
  type RoutableAccount,
  type RoutablePayment,
  type RoutingOverride,
  type RuleSet,
} from '@switchyard/routing';
import { type CompiledRuleSet, compileRuleSet, isDrawn } from '@switchyard/routing/decide';
import { parseRuleDocument } from '@switchyard/routing/rule-set';
import type { AccountOpener, LoadedCanary, MerchantConfiguration } from '@switchyard/runtime';

/** A merchant's routing in one mode, compiled: what `decide` takes beside the payment and the health. */
export interface RoutingSnapshot {
  readonly ruleSet: CompiledRuleSet;
  readonly accounts: readonly RoutableAccount[];
  readonly overrides: readonly RoutingOverride[];
  /** The version that a share of customers is routed by; null for none. */
  readonly canary: RoutingCanary | null;
  /** The draw of customers who are routed by the default order alone; null for none. */
  readonly holdout: CustomerDraw | null;
}

/** A canary as payments are assigned to it. */
interface RoutingCanary extends CustomerDraw {
  readonly canaryId: string;
  readonly ruleSet: CompiledRuleSet;
}

/** The rules that a customer's payment is routed by, with the draws that chose them. */
export interface AssignedRules {
  readonly ruleSet: CompiledRuleSet;
  /** Absent where no draw was made. */
  readonly assignment?: Assignment;
}

/**
 * Chooses the rules for a customer: the active version, unless another is tried and this customer is drawn. A customer who is held out is in
 * no canary: no rule is asked.
 */
export function assignRules({ ruleSet, canary, holdout }: RoutingSnapshot, email: string): AssignedRules {
  if (holdout === null) return canary === null ? { ruleSet } : tryOut(ruleSet, canary, email);
  const heldOut = isDrawn(holdout, email);
  const assignment = { holdout: { ...holdout, heldOut } };
  if (heldOut || canary === null) return { ruleSet, assignment };
  const tried = tryOut(ruleSet, canary, email);
  return { ...tried, assignment: { ...assignment, ...tried.assignment } };
}

function tryOut(ruleSet: CompiledRuleSet, canary: RoutingCanary, email: string): AssignedRules {
  const { salt, percent, canaryId } = canary;
  const arm = isDrawn(canary, email) ? 'draft' : 'live';
  return { ruleSet: arm === 'draft' ? canary.ruleSet : ruleSet, assignment: { canary: { canaryId, arm, salt, percent } } };
}

/** A snapshot, and when contracts that begin make it another one. */
interface CompiledSnapshot {
  readonly snapshot: RoutingSnapshot;
  readonly until: number;
}

const snapshots = new WeakMap<MerchantConfiguration, Partial<Record<Mode, CompiledSnapshot>>>();

/** The routing snapshot of a configuration, compiled on first use and cached as long as it holds. */
export function routingSnapshot(
  { openAccount }: { readonly openAccount: AccountOpener },
  configuration: MerchantConfiguration,
  mode: Mode,
  now: Date,
): RoutingSnapshot {
  const known = snapshots.get(configuration) ?? {};
  const cached = known[mode];
  if (cached !== undefined && now.getTime() < cached.until) return cached.snapshot;
  const compiled = { snapshot: compile(openAccount, configuration, mode, now), until: nextContract(configuration, now) };
  snapshots.set(configuration, { ...known, [mode]: compiled });
  return compiled.snapshot;
}

function nextContract({ feeContracts }: MerchantConfiguration, now: Date): number {
  const later = feeContracts.map(({ appliesFrom }) => appliesFrom.getTime()).filter((begins) => begins > now.getTime());
  return later.reduce((first, begins) => Math.min(first, begins), Number.POSITIVE_INFINITY);
}

function compile(openAccount: AccountOpener, configuration: MerchantConfiguration, mode: Mode, now: Date): RoutingSnapshot {
  const accounts = configuration.accounts.filter((account) => account.mode === mode);
  const accountIds = accounts.map((account) => account.id);
  return {
    ruleSet: compileRuleSet(readRuleSet(configuration.ruleSets[mode] ?? null, accountIds)),
    accounts: accounts.map((account) => toRoutable(openAccount, account, configuration, now)),
    holdout: readHoldout(configuration),
    canary: readCanary(configuration.canaries[mode], accountIds),
    overrides: [
      ...configuration.overrides.flatMap((override) =>
        override.accountId === null ? [] : toInput(override, override.accountId),
      ),
      ...configuration.gatewayOverrides.flatMap((override) =>
        accounts.filter((account) => isOverridden(account, override)).map((account) => toInput(override, account.id)),
      ),
    ],
  };
}

/** The salt is the merchant's for good, so that the same customers are held out in every month. */
function readHoldout({ merchant: { id, holdoutPercent: percent } }: MerchantConfiguration): CustomerDraw | null {
  return percent === 0 ? null : { salt: `holdout ${id}`, percent };
}

function readCanary(canary: LoadedCanary | undefined, accountIds: readonly string[]): RoutingCanary | null {
  if (canary === undefined) return null;
  const { id: canaryId, salt, percent } = canary;
  return { canaryId, salt, percent, ruleSet: compileRuleSet(readRuleSet(canary.ruleSet, accountIds)) };
}

/** True if an override of a gateway concerns an account. */
function isOverridden(account: GatewayAccount, { gateway, mode }: StoredOverride): boolean {
  return account.gateway === gateway && account.mode === mode;
}

/** An override as decisions take it and store it: that of a gateway once for each of its accounts, under the one id. */
function toInput(override: StoredOverride, accountId: string): RoutingOverride {
  const { id: overrideId, gateway, method, action, reason, actor, startsAt, expiresAt } = override;
  return {
    overrideId,
    accountId,
    ...(gateway !== null && { gateway }),
    method: toMethod(method),
    action,
    reason,
    actor,
    ...(startsAt !== null && { startsAt: startsAt.toISOString() }),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/**
 * Parses a stored version. A merchant without one, or with one that no longer parses, is routed by its accounts in the order given:
 * rules are checked before they are published, and an unreadable version must not stop payments.
 */
export function readRuleSet(
  stored: { readonly version: number | null; readonly document: unknown } | null,
  accountIds: readonly string[],
): RuleSet {
  const parsed = stored === null ? null : parseRuleDocument(stored.document);
  const ruleSet = parsed?.ok ? parsed.ruleSet : { rules: [], defaultOrder: accountIds };
  return { ...ruleSet, version: stored?.version ?? 0 };
}

function toRoutable(
  openAccount: AccountOpener,
  account: GatewayAccount,
  { feeContracts, effectiveRates, successRates }: MerchantConfiguration,
  now: Date,
): RoutableAccount {
  const rates = effectiveRates.get(account.id);
  const successes = successRates.get(account.id);
  const contract = feeContracts.findLast(({ accountId, appliesFrom }) => accountId === account.id && appliesFrom <= now);
  const fault = readConfigurationFault(account);
  return {
    accountId: account.id,
    gateway: account.gateway,
    label: account.label,
    enabled: account.enabled,
    configured: fault === null && unlessUnavailable(() => openAccount(account)) !== null,
    ...(fault !== null && { configurationFault: fault }),
    currencies: account.currencies,
    methods: account.methods.flatMap((method) => toMethod(method) ?? []),
    minAmount: Number(account.minAmount),
    maxAmount: account.maxAmount === null ? null : Number(account.maxAmount),
    fees: contract?.schedule ?? null,
    ...(rates !== undefined && { effectiveRates: rates }),
    ...(successes !== undefined && { successRates: successes }),
  };
}

/** A payment method by its canonical name, or null. */
export function toMethod(text: string | null): PaymentMethod | null {
  return PAYMENT_METHODS.find((method) => method === text) ?? null;
}

/** The columns of `payment` that routing reads, beside its id, for a SELECT. */
export const ROUTABLE_COLUMNS = `payment.currency, payment.amount, payment.payment_method AS method,
  payment.customer_country AS "customerCountry", payment.requested_gateway AS "requestedGateway"`;

/** A row of {@link ROUTABLE_COLUMNS}. */
export interface RoutableRow {
  readonly paymentId: string;
  readonly currency: string;
  /** `int8` is returned as text. */
  readonly amount: string;
  readonly method: string | null;
  readonly customerCountry: string | null;
  readonly requestedGateway: string | null;
}

/** The row with its payment as routing reads it. */
export function withRoutablePayment<Row extends RoutableRow>(row: Row): Row & { readonly payment: RoutablePayment } {
  const { paymentId, currency, amount, method, customerCountry, requestedGateway } = row;
  const payment = { paymentId, currency, amount: Number(amount), method: toMethod(method), customerCountry, requestedGateway };
  return { ...row, payment };
}
