import { measureOutage, type OutcomeSums } from '@switchyard/payments/incident-impact';
import type { HealthContext } from '@switchyard/provider-health';
import { type AccountOverview, describeHealth } from '@switchyard/provider-health/console';
import type { HealthState, StoredHealthReason } from '@switchyard/routing';
import type { FindingScope } from '../findings/find.ts';
import { readFacts } from '../kinds/kinds.ts';
import { HEALTH_KINDS } from './health-kinds.ts';
import { type IncidentInList, listOpen } from './list-incidents.ts';

/** A gateway account that an outage concerns, as it is now. */
export interface OutageAccount {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  readonly label: string;
  /** The worst of its methods; an account that recovers stays listed until its incident has ended. */
  readonly state: HealthState;
  readonly since: Date;
  /** Why it is in its worst state. */
  readonly why: StoredHealthReason;
  /** The override that takes all its new payments away; null while they still go there. */
  readonly drain: {
    readonly overrideId: string;
    /** The gateway that is drained for all merchants; null for the account alone. */
    readonly gateway: string | null;
    readonly action: AccountOverview['overrides'][number]['action'];
    readonly since: Date;
    readonly expiresAt: Date | null;
  } | null;
}

/** All outages of gateways that last now, as one. */
export interface CurrentOutage {
  /** The first onset. */
  readonly since: Date;
  /** True if a gateway account is down, or several fail together; otherwise accounts are degraded. */
  readonly isCritical: boolean;
  /** True if the cause is probably a common one. */
  readonly isCorrelated: boolean;
  /** Its incidents, the latest first. */
  readonly incidentIds: readonly string[];
  /** The worst first. */
  readonly accounts: readonly OutageAccount[];
  /** As the pages of its incidents count it. */
  readonly impact: readonly OutcomeSums[];
}

const WORST_FIRST: readonly HealthState[] = ['down', 'degraded', 'probing', 'healthy'];

/** The outage of gateways that lasts now for these merchants: what is wrong, since when, and what it did to payments; or null. */
export async function readCurrentOutage(context: HealthContext, scope: FindingScope): Promise<CurrentOutage | null> {
  const incidents = (await listOpen(context, scope)).filter(({ kind }) => HEALTH_KINDS.includes(kind));
  const onsets = onsetsOf(incidents);
  if (onsets.size === 0) return null;
  const { accounts: all } = await describeHealth(context, {
    merchantIds: scope.of('gateway_down').merchantIds,
    mode: scope.mode,
  });
  const accounts = all
    .flatMap((account) => {
      const since = onsets.get(account.accountId);
      return since === undefined || !account.enabled ? [] : [describeAccount(account, since)];
    })
    .sort((left, right) => WORST_FIRST.indexOf(left.state) - WORST_FIRST.indexOf(right.state));
  if (accounts.length === 0) return null;
  const since = new Date(Math.min(...accounts.map((account) => account.since.getTime())));
  const incidentIds = incidents.map(({ id }) => id);
  return {
    since,
    isCritical: incidents.some(({ severity }) => severity === 'critical'),
    isCorrelated: incidents.some(({ kind }) => kind === 'correlated_outage'),
    incidentIds,
    accounts,
    impact: await measureOutage(context.resources.database, { merchantIds: scope.of('gateway_down').merchantIds, incidentIds }),
  };
}

/** When the trouble of each account began. */
function onsetsOf(incidents: readonly IncidentInList[]): Map<string, Date> {
  const onsets = new Map<string, Date>();
  const add = (accountId: string, since: Date) => {
    const known = onsets.get(accountId);
    if (known === undefined || since < known) onsets.set(accountId, since);
  };
  for (const incident of incidents) {
    const facts = readFacts(incident.facts);
    if (facts.of === 'gateway') add(facts.accountId, incident.since);
    if (facts.of === 'outage') for (const member of facts.members) add(member.accountId, new Date(member.since));
  }
  return onsets;
}

function describeAccount(account: AccountOverview, since: Date): OutageAccount {
  const { merchantId, merchantName, accountId, gateway, gatewayTitle, label, health, overrides } = account;
  const own = health.filter(({ judgedBy }) => judgedBy !== 'account');
  const state = WORST_FIRST.find((known) => own.some((one) => one.state === known)) ?? 'healthy';
  const worst = own.filter((one) => one.state === state);
  // A single method is named; of several, the account as a whole says it.
  const methods = worst.filter(({ method }) => method !== null);
  const told = methods.length === 1 ? methods[0] : worst[0];
  const drain = overrides.find(({ action, method }) => action !== 'force' && method === null);
  return {
    merchantId,
    merchantName,
    accountId,
    gateway,
    gatewayTitle,
    label,
    state,
    since,
    why: told?.why ?? null,
    drain:
      drain === undefined
        ? null
        : {
            overrideId: drain.overrideId,
            gateway: drain.gateway,
            action: drain.action,
            since: drain.startsAt ?? drain.createdAt,
            expiresAt: drain.expiresAt,
          },
  };
}
