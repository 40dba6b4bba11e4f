import type { GatewayAccount, Mode, RoutingOverride as StoredOverride } from '@switchyard/db/client';
import { findGateway, gatewayTitle } from '@switchyard/gateways';
import {
  type HealthState,
  PAYMENT_METHODS,
  type PaymentMethod,
  type RoutingOverride,
  type StoredHealthReason,
} from '@switchyard/routing';
import type { MerchantConfiguration } from '@switchyard/runtime';
import { correlate, type SharedOutage } from '../assess/correlate.ts';
import type { LookupCounts } from '../assess/outcome-counts.ts';
import { type ConfigurationFaultDescription, describeFault } from '../configuration-faults/change-fault.ts';
import type { HealthContext } from '../context.ts';
import type { HealthDetail } from '../monitor/health-series.ts';

/** Filter of accounts. `merchantIds` must be merchants that the viewer may see. */
export interface HealthQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
}

/** Present health of all accounts, as routing uses it. */
export interface HealthOverview {
  readonly asOf: Date;
  /** By merchant, then in order of creation. */
  readonly accounts: readonly AccountOverview[];
  /** Methods degraded or down at several gateways at once. */
  readonly trouble: readonly SharedOutage[];
}

/** A gateway account with its present health and its overrides. */
export interface AccountOverview {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly label: string;
  readonly gateway: string;
  /** The gateway's display name. */
  readonly gatewayTitle: string;
  readonly enabled: boolean;
  /** False where the gateway has no free call: only checkouts show its health. */
  readonly isProbed: boolean;
  /** Why the account is out of rotation; null while its gateway accepts its configuration. */
  readonly fault: ConfigurationFaultDescription | null;
  /** The account as a whole first (method null), then each of its methods. */
  readonly health: readonly MethodOverview[];
  /** Overrides that have begun and have not ended. */
  readonly overrides: readonly OverrideOverview[];
  /** Overrides that begin later, the next one first. */
  readonly planned: readonly OverrideOverview[];
}

/** Health of an account for one method; `method` null is the account as a whole. */
export interface MethodOverview {
  readonly method: PaymentMethod | null;
  /**
   * `account`: too little evidence for the method alone, so the health of the account as a whole applies. `others`: the account
   * opened nothing since other merchants' checkouts began to fail at the gateway, so their health applies.
   */
  readonly judgedBy: 'method' | 'account' | 'others';
  readonly state: HealthState;
  readonly why: StoredHealthReason;
  /** Null without any observation. */
  readonly since: Date | null;
  /** Openings of checkouts behind the state: of a healthy account those of five minutes, otherwise those since its demotion began. */
  readonly succeeded: number;
  readonly faulted: number;
  /** Look-ups of payments and idle probes of five minutes. */
  readonly lookups: LookupCounts;
  /** Probe payments that must still be answered while probing, 0 otherwise. */
  readonly probesLeft: number;
  /** Since when status checks, which failed with the checkouts of a probing account, are answered again; null while they show nothing. */
  readonly answersSince: Date | null;
  /** Payments that ended within the last hour. */
  readonly paid: number;
  readonly unpaid: number;
}

/** An override, active or planned; `expiresAt` null until an operator ends it. */
export interface OverrideOverview {
  readonly overrideId: string;
  /** The gateway that it was set for, of all merchants; null for this account alone. */
  readonly gateway: string | null;
  readonly method: PaymentMethod | null;
  readonly action: RoutingOverride['action'];
  readonly reason: string;
  readonly actor: string;
  readonly createdAt: Date;
  /** When it began or will begin; null where it began when it was set. */
  readonly startsAt: Date | null;
  readonly expiresAt: Date | null;
  /** True if it ends by itself once the gateway has recovered. */
  readonly putBack: boolean;
  /** Since when the gateway is well again, after it was in trouble while this applied; null while it is not. */
  readonly recoveredAt: Date | null;
}

/** The health of these merchants' accounts in one mode, read from memory. */
export async function describeHealth(context: HealthContext, { merchantIds, mode }: HealthQuery): Promise<HealthOverview> {
  const { configuration } = context.resources;
  await configuration.ready();
  const asOf = context.now();
  const accounts = merchantIds.flatMap((merchantId) => {
    const merchant = configuration.merchant(merchantId);
    const health = context.health.details(merchantId);
    const own = merchant?.accounts.filter((account) => account.mode === mode) ?? [];
    return merchant === undefined ? [] : own.map((account) => describeAccount(merchant, account, health, asOf));
  });
  return { asOf, accounts, trouble: findTrouble(accounts) };
}

function describeAccount(
  { merchant, overrides, gatewayOverrides }: MerchantConfiguration,
  account: GatewayAccount,
  details: readonly HealthDetail[],
  now: Date,
): AccountOverview {
  const ofGateway = gatewayOverrides.filter(({ gateway, mode }) => gateway === account.gateway && mode === account.mode);
  const concerning = [...overrides.filter(({ accountId }) => accountId === account.id), ...ofGateway];
  const own = concerning.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const begun = Map.groupBy(own, ({ startsAt }) => startsAt === null || startsAt <= now);
  const planned = begun.get(false) ?? [];
  return {
    merchantId: merchant.id,
    merchantName: merchant.name,
    accountId: account.id,
    label: account.label,
    gateway: account.gateway,
    gatewayTitle: gatewayTitle(account.gateway),
    enabled: account.enabled,
    isProbed: findGateway(account.gateway)?.probe != null,
    fault: describeFault(account),
    health: describeMethods(
      account,
      details.filter(({ health }) => health.accountId === account.id),
    ),
    overrides: (begun.get(true) ?? []).map(describeOverride),
    planned: planned.toSorted((a, b) => (a.startsAt?.getTime() ?? 0) - (b.startsAt?.getTime() ?? 0)).map(describeOverride),
  };
}

function describeOverride(override: StoredOverride): OverrideOverview {
  const { id, gateway, method, action, reason, actor, createdAt, startsAt, expiresAt, putBack, recoveredAt } = override;
  const times = { createdAt, startsAt, expiresAt, recoveredAt };
  return { overrideId: id, gateway, method: toMethod(method), action, reason, actor, ...times, putBack };
}

/** The payment method of a stored method; null for all of them. */
export function toMethod(stored: string | null): PaymentMethod | null {
  return PAYMENT_METHODS.find((known) => known === stored) ?? null;
}

const NONE = {
  succeeded: 0,
  faulted: 0,
  lookups: { answered: 0, failed: 0 },
  probesLeft: 0,
  answersSince: null,
  paid: 0,
  unpaid: 0,
} as const;
const UNSEEN = { judgedBy: 'method', state: 'healthy', why: { code: 'unused' }, since: null, ...NONE } as const;

function describeMethods(account: GatewayAccount, known: readonly HealthDetail[]): MethodOverview[] {
  const offered = PAYMENT_METHODS.filter((method) => account.methods.includes(method));
  // A method that was removed from the account may still have health to show.
  const others = known.flatMap(({ health: { method } }) => (method === null || offered.includes(method) ? [] : [method]));
  const detailOf = (method: PaymentMethod | null) => known.find(({ health }) => health.method === method);
  return [null, ...offered, ...others].map((method) => {
    const own = detailOf(method);
    if (own !== undefined) return { ...describeDetail(own), method };
    const whole = method === null ? undefined : detailOf(null);
    if (whole === undefined) return { ...UNSEEN, method, judgedBy: method === null ? 'method' : 'account' };
    const { state, why, since, answersSince } = describeDetail(whole);
    return { ...NONE, method, judgedBy: 'account', state, why, since, answersSince };
  });
}

function describeDetail({ health, lookups, probesLeft, answersSince, fromOthers }: HealthDetail): Omit<MethodOverview, 'method'> {
  const { state, why, succeeded, faulted, paid, unpaid } = health;
  const judgedBy = fromOthers ? 'others' : 'method';
  return {
    judgedBy,
    state,
    why,
    since: new Date(health.since),
    succeeded,
    faulted,
    lookups,
    probesLeft,
    answersSince,
    paid,
    unpaid,
  };
}

function findTrouble(accounts: readonly AccountOverview[]): readonly SharedOutage[] {
  const states = accounts.flatMap(({ accountId, gatewayTitle: gateway, health }) =>
    health.flatMap(({ method, judgedBy, state, since }) =>
      judgedBy === 'account' || since === null ? [] : [{ accountId, gateway, method, state, since: since.getTime() }],
    ),
  );
  return correlate(states);
}
