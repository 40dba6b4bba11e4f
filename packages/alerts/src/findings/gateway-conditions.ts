import { NIL_ID } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { HealthContext } from '@switchyard/provider-health';
import {
  type AccountOverview,
  describeHealth,
  findCorrelatedOutages,
  PROBED_MS,
  troubleOf,
} from '@switchyard/provider-health/console';
import type { Condition, ConditionQuery } from './finding.ts';
import { KINDS } from './kinds.ts';

const WORST_FIRST = ['down', 'degraded', 'probing'] as const;

/**
 * Accounts of all merchants that are down, degraded or probed, those whose gateway refuses them, and outages they have in common, read
 * from memory. Always of all merchants: an outage is common to several.
 */
export async function gatewayConditions(context: HealthContext, { mode }: ConditionQuery): Promise<Condition[]> {
  const { configuration } = context.resources;
  await configuration.ready();
  const merchantIds = configuration.merchants().map(({ merchant }) => merchant.id);
  const modes = mode === null ? (['test', 'live'] as const) : [mode];
  const found = await Promise.all(modes.map((each) => conditionsOf(context, merchantIds, each)));
  return found.flat();
}

async function conditionsOf(context: HealthContext, merchantIds: readonly string[], mode: Mode): Promise<Condition[]> {
  const health = await describeHealth(context, { merchantIds, mode });
  const outages = findCorrelatedOutages(health).map(({ members, methods }): Condition => {
    const merchants = new Set(members.map(({ account }) => account.merchantId));
    const [first] = members;
    return {
      merchantId: merchants.size === 1 && first !== undefined ? first.account.merchantId : NIL_ID,
      mode,
      kind: 'correlated_outage',
      subject: '',
      severity: KINDS.correlated_outage.severity,
      since: first?.since ?? health.asOf,
      opens: true,
      facts: {
        of: 'outage',
        methods: [...methods],
        members: members.map(({ account, state, since }) => ({
          merchantId: account.merchantId,
          accountId: account.accountId,
          gateway: account.gatewayTitle,
          label: account.label,
          state,
          since: since.toISOString(),
          recovered: false,
        })),
      },
    };
  });
  return [...joinSameScope(outages), ...health.accounts.flatMap((account) => accountCondition(account, mode, health.asOf) ?? [])];
}

/** Outages of the same merchants are one incident. */
function joinSameScope(outages: readonly Condition[]): Condition[] {
  return [...Map.groupBy(outages, ({ merchantId }) => merchantId).values()].flatMap(([first, ...others]) => {
    if (first?.facts.of !== 'outage') return [];
    const facts = [first, ...others].flatMap((outage) => (outage.facts.of === 'outage' ? [outage.facts] : []));
    const methods = [...new Set(facts.flatMap((each) => each.methods))];
    return [{ ...first, facts: { of: 'outage' as const, methods, members: facts.flatMap((each) => each.members) } }];
  });
}

function accountCondition(account: AccountOverview, mode: Mode, now: Date): Condition | null {
  const { merchantId, accountId, gatewayTitle: gateway, label, fault } = account;
  if (!account.enabled) return null;
  const of = { merchantId, mode, subject: accountId };
  if (fault !== null) {
    return {
      ...of,
      kind: 'credentials_refused',
      severity: KINDS.credentials_refused.severity,
      since: fault.since,
      opens: true,
      facts: { of: 'credentials', gateway, label, accountId, sentence: fault.sentence },
    };
  }
  // One whose status checks failed with its checkouts and are answered again has recovered, as far as that can be known without checkouts.
  const troubled = account.health.filter(
    ({ judgedBy, state, answersSince }) => judgedBy !== 'account' && state !== 'healthy' && answersSince === null,
  );
  const methods = troubled
    .flatMap(({ method, state, why }) => (state === 'healthy' ? [] : [{ method, state, why }]))
    .sort((left, right) => WORST_FIRST.indexOf(left.state) - WORST_FIRST.indexOf(right.state));
  if (methods.length === 0) return null;
  const trouble = troubleOf(account);
  const kind = trouble?.state === 'down' ? 'gateway_down' : 'gateway_degraded';
  return {
    ...of,
    kind,
    severity: KINDS[kind].severity,
    since: trouble?.since ?? now,
    opens: trouble !== null,
    isUnproven: trouble === null && troubled.every(({ since }) => now.getTime() - (since?.getTime() ?? 0) > PROBED_MS),
    facts: { of: 'gateway', gateway, label, accountId, methods },
  };
}
