import type { Mode } from '@switchyard/db/client';
import { isByOthers } from '../assess/health-reasons.ts';
import { findGatewayTroubles, type GatewayTrouble, type GatewayTroubles } from '../assess/prior.ts';
import type { HealthThresholds } from '../thresholds/thresholds.ts';
import { ANY_METHOD, type HealthSeries } from './health-series.ts';

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
  /** The methods it takes; all where they are left out. */
  readonly methods?: readonly string[];
  /** True if an override keeps all its new payments away. */
  readonly isDrained?: boolean;
}

/** Health of gateways, from the accounts of all merchants. */
export interface GatewayExperience {
  /** True if no gateway is in trouble that concerns more than one account. */
  readonly isCalm: boolean;
  /** Trouble that accounts of other merchants see at the account's gateway with a stored method; null for none. */
  troubleOfOthers(account: KnownAccount, method: string): GatewayTrouble | null;
  /** Usual latency of openings at the account's gateway, in milliseconds; null where it is unknown. */
  usualMs(account: KnownAccount | undefined): number | null;
}

/** Nothing known of gateways yet. */
export const NO_EXPERIENCE: GatewayExperience = { isCalm: true, troubleOfOthers: () => null, usualMs: () => null };

type FindAccount = (accountId: string) => KnownAccount | undefined;

/** Computes the health of gateways. Merchants who do not learn from others do not contribute either. */
export function findGatewayExperience(series: readonly HealthSeries[], account: FindAccount, at: number): GatewayExperience {
  const troubles = troublesByGroup(series, account, at);
  const usual = meanUsual(series, account);
  return {
    isCalm: troubles.size === 0,
    troubleOfOthers: (known, method) =>
      known.thresholds.learnFromOthers ? (troubles.get(groupOf(known, method))?.troubleOfOthers(known) ?? null) : null,
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
  const isTroubled = ({ assessment }: HealthSeries) =>
    assessment !== null && assessment.state !== 'healthy' && !isByOthers(assessment);
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
