import type { Mode } from '@switchyard/db/client';
import { type AccountHealth, PAYMENT_METHODS } from '@switchyard/routing';
import { priorReason } from '../assess/health-reasons.ts';
import { findGatewayTroubles, type GatewayTroubles, hasSucceededSince } from '../assess/prior.ts';
import type { HealthThresholds } from '../thresholds/thresholds.ts';
import { ANY_METHOD, type HealthDetail, type HealthSeries, methodOf } from './health-series.ts';

/** The facts of an account that health depends on. */
export interface KnownAccount {
  readonly merchantId: string;
  readonly accountId: string;
  readonly gateway: string;
  /** The gateway's display name. */
  readonly title: string;
  readonly mode: Mode;
  /** Base URL of the gateway's API; null for its default. */
  readonly address: string | null;
  readonly thresholds: HealthThresholds;
}

/** Health of gateways, from the accounts of all merchants. */
export interface GatewayExperience {
  /** Health inferred from accounts of other merchants, for each method in which this account has no evidence of its own. */
  inherited(account: KnownAccount, own: readonly HealthSeries[]): readonly HealthDetail[];
  /** Usual latency of openings at the account's gateway, in milliseconds; null where it is unknown. */
  usualMs(account: KnownAccount | undefined): number | null;
}

/** Nothing known of gateways yet. */
export const NO_EXPERIENCE: GatewayExperience = { inherited: () => [], usualMs: () => null };

type FindAccount = (accountId: string) => KnownAccount | undefined;

/** Computes the health of gateways. Merchants who do not learn from others do not contribute either. */
export function findGatewayExperience(series: readonly HealthSeries[], account: FindAccount, at: number): GatewayExperience {
  const troubles = troublesByGroup(series, account, at);
  const usual = meanUsual(series, account);
  return {
    inherited(known, own) {
      if (troubles.size === 0 || !known.thresholds.learnFromOthers) return [];
      return [ANY_METHOD, ...PAYMENT_METHODS].flatMap((method) => {
        const ofMethod = own.find((one) => one.accountId === known.accountId && one.method === method);
        return inherit(known, method, ofMethod, troubles.get(groupOf(known, method)), at);
      });
    },
    usualMs: (known) => (known?.thresholds.learnFromOthers ? (usual.get(groupOf(known, ANY_METHOD)) ?? null) : null),
  };
}

/** Key of accounts at the same gateway and base URL, with one method. */
function groupOf({ mode, gateway, address }: KnownAccount, method: string): string {
  return `${mode}|${gateway}|${address ?? ''}|${method}`;
}

/** Covers only gateways and methods where an account is not healthy. */
function troublesByGroup(series: readonly HealthSeries[], account: FindAccount, at: number): Map<string, GatewayTroubles> {
  const groupOfSeries = ({ accountId, method }: HealthSeries) => {
    const known = account(accountId);
    return known?.thresholds.learnFromOthers ? groupOf(known, method) : null;
  };
  const isTroubled = ({ assessment }: HealthSeries) => assessment !== null && assessment.state !== 'healthy';
  const troubled = new Set(series.filter(isTroubled).flatMap((one) => groupOfSeries(one) ?? []));
  if (troubled.size === 0) return new Map();
  const groups = Map.groupBy(series, groupOfSeries);
  const troubles = [...troubled].map((group): [string, GatewayTroubles] => {
    const observed = (groups.get(group) ?? []).flatMap(({ merchantId, accountId, buckets, assessment }) =>
      assessment === null ? [] : [{ ...assessment, merchantId, accountId, buckets }],
    );
    return [group, findGatewayTroubles(observed, at)];
  });
  return new Map(troubles.filter(([, { since }]) => since !== null));
}

function meanUsual(series: readonly HealthSeries[], account: FindAccount): Map<string, number> {
  const known = series.flatMap(({ accountId, method, usual }) => {
    const own = method === ANY_METHOD && usual !== null ? account(accountId) : undefined;
    return own?.thresholds.learnFromOthers && usual !== null ? [{ group: groupOf(own, method), ms: usual.ms }] : [];
  });
  const mean = (all: readonly { readonly ms: number }[]) => all.reduce((sum, { ms }) => sum + ms, 0) / all.length;
  return new Map([...Map.groupBy(known, ({ group }) => group)].map(([group, all]) => [group, mean(all)]));
}

function inherit(
  { merchantId, accountId, title }: KnownAccount,
  storedMethod: string,
  own: HealthSeries | undefined,
  troubles: GatewayTroubles | undefined,
  at: number,
): HealthDetail[] {
  const trouble = troubles?.troubleOfOthers({ merchantId, accountId }) ?? null;
  const state = own?.assessment?.state ?? 'healthy';
  if (trouble === null || state !== 'healthy') return [];
  if (hasSucceededSince({ state, buckets: own?.buckets ?? [] }, trouble.since, at)) return [];
  const method = methodOf(storedMethod);
  const health: AccountHealth = {
    accountId,
    method,
    state: trouble.state,
    why: priorReason({ gateway: title, method }, trouble),
    since: new Date(trouble.since).toISOString(),
    succeeded: own?.assessment?.succeeded ?? 0,
    faulted: own?.assessment?.faulted ?? 0,
    probePercent: 0,
    paid: own?.paid ?? 0,
    unpaid: own?.unpaid ?? 0,
  };
  const lookups = own?.assessment?.lookups ?? { answered: 0, failed: 0 };
  const evidence = { lookups, lookedUpAt: null, answersSince: null };
  return [{ health, probesLeft: 0, probeEveryMs: null, ...evidence, fromOthers: true }];
}
