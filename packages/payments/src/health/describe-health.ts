import type { GatewayAccount, MerchantConfiguration, Mode } from '@switchyard/db';
import { gatewayTitle } from '@switchyard/gateways';
import {
  type AccountHealth,
  correlate,
  type HealthState,
  PAYMENT_METHODS,
  type PaymentMethod,
  type RoutingOverride,
  type SharedTrouble,
} from '@switchyard/routing';
import type { PaymentsContext } from '../context.ts';

/** Whose accounts. `merchantIds` must be the ones the person asking may see. */
export interface HealthQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
}

/** How all accounts are at this moment, as routing sees them. */
export interface HealthOverview {
  readonly asOf: Date;
  /** By merchant, then as the accounts were made. */
  readonly accounts: readonly AccountOverview[];
  /** The same method in trouble at several gateways at once. */
  readonly trouble: readonly SharedTrouble[];
}

export interface AccountOverview {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly label: string;
  readonly gateway: string;
  /** The gateway's name as people write it. */
  readonly gatewayTitle: string;
  readonly enabled: boolean;
  /** The account as a whole first (method null), then each of its methods. */
  readonly health: readonly MethodOverview[];
  /** Operators' hands on the switch that have not ended. */
  readonly overrides: readonly OverrideOverview[];
}

export interface MethodOverview {
  readonly method: PaymentMethod | null;
  /** `account`: too little is known of the method alone, so that payments by it go by the account as a whole. */
  readonly judgedBy: 'method' | 'account';
  readonly state: HealthState;
  /** One sentence with figures. */
  readonly why: string;
  /** Null where nothing was seen yet. */
  readonly since: Date | null;
  /** Calls in the window of five minutes: answered as they should be, and failed by the provider's fault. */
  readonly succeeded: number;
  readonly faulted: number;
  /** Share of payments let through while probing, 0 to 100. */
  readonly probePercent: number;
  /** Payments that ended within the last hour. */
  readonly paid: number;
  readonly unpaid: number;
}

export interface OverrideOverview {
  readonly overrideId: string;
  readonly method: PaymentMethod | null;
  readonly action: RoutingOverride['action'];
  readonly reason: string;
  readonly actor: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** The health of these merchants' accounts in one mode. Read from memory: asks nobody. */
export async function describeHealth(context: PaymentsContext, { merchantIds, mode }: HealthQuery): Promise<HealthOverview> {
  const { configuration } = context.resources;
  await configuration.ready();
  const asOf = context.now();
  const accounts = merchantIds.flatMap((merchantId) => {
    const merchant = configuration.merchant(merchantId);
    const health = context.health.snapshot(merchantId);
    const own = merchant?.accounts.filter((account) => account.mode === mode) ?? [];
    return merchant === undefined ? [] : own.map((account) => describeAccount(merchant, account, health, asOf));
  });
  return { asOf, accounts, trouble: findTrouble(accounts) };
}

function describeAccount(
  { merchant, overrides }: MerchantConfiguration,
  account: GatewayAccount,
  health: readonly AccountHealth[],
  now: Date,
): AccountOverview {
  const standing = overrides.filter(
    ({ accountId, expiresAt }) => accountId === account.id && (expiresAt === null || expiresAt > now),
  );
  return {
    merchantId: merchant.id,
    merchantName: merchant.name,
    accountId: account.id,
    label: account.label,
    gateway: account.gateway,
    gatewayTitle: gatewayTitle(account.gateway),
    enabled: account.enabled,
    health: describeMethods(
      account,
      health.filter(({ accountId }) => accountId === account.id),
    ),
    overrides: standing.map(({ id, method, action, reason, actor, createdAt, expiresAt }) => {
      return { overrideId: id, method: toMethod(method), action, reason, actor, createdAt, expiresAt };
    }),
  };
}

/** The method a stored word stands for; null for all of them. */
export function toMethod(word: string | null): PaymentMethod | null {
  return PAYMENT_METHODS.find((known) => known === word) ?? null;
}

const UNSEEN = { state: 'healthy', why: 'Nothing has been seen of it yet.', succeeded: 0, faulted: 0, probePercent: 0 } as const;

function describeMethods(account: GatewayAccount, known: readonly AccountHealth[]): MethodOverview[] {
  const whole = known.find(({ method }) => method === null);
  const offered = PAYMENT_METHODS.filter((method) => account.methods.includes(method));
  // A method that was taken from the account may still be in trouble, and be told of.
  const others = known.flatMap(({ method }) => (method === null || offered.includes(method) ? [] : [method]));
  return [null, ...offered, ...others].map((method) => {
    const own = known.find((health) => health.method === method);
    const spoken = own ?? whole;
    const since = spoken === undefined ? null : new Date(spoken.since);
    const { state, why, succeeded, faulted, probePercent, paid, unpaid } = { paid: 0, unpaid: 0, ...(spoken ?? UNSEEN) };
    const counts = own === undefined && method !== null ? { succeeded: 0, faulted: 0, paid: 0, unpaid: 0 } : {};
    const judgedBy = own === undefined && method !== null ? 'account' : 'method';
    return { method, judgedBy, state, why, since, succeeded, faulted, probePercent, paid, unpaid, ...counts };
  });
}

function findTrouble(accounts: readonly AccountOverview[]): readonly SharedTrouble[] {
  const sightings = accounts.flatMap(({ accountId, gatewayTitle: gateway, health }) =>
    health.flatMap(({ method, judgedBy, state, since }) =>
      judgedBy === 'account' || since === null ? [] : [{ accountId, gateway, method, state, since: since.getTime() }],
    ),
  );
  return correlate(sightings);
}
