import { NIL_ID } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { countOverdueJobs } from '@switchyard/db/process';
import { listExpiringKeys } from '@switchyard/merchants/console/api-keys';
import { countOverduePayments } from '@switchyard/payments/sweeping';
import type { HealthContext } from '@switchyard/provider-health';
import {
  type AccountOverview,
  describeHealth,
  findCorrelatedOutages,
  PROBED_MS,
  troubleOf,
} from '@switchyard/provider-health/console';
import { listFailedReports } from '@switchyard/scheduled-reports/failures';
import { listNewSignInPlaces } from '@switchyard/staff/sessions';
import { countOverdueDeliveries } from '@switchyard/webhooks/deliveries';
import { listDisabledEndpoints, listExpiringCertificates } from '@switchyard/webhooks/endpoints';
import type { AttentionContext } from '../context.ts';
import type { FactsOf } from './facts.ts';
import type { Condition, ConditionQuery, FindingScope, Observation, Task, TaskQuery } from './finding.ts';
import { INCIDENT_KINDS, type IncidentKind, KINDS, TASK_KINDS, type TaskKind } from './kinds.ts';
import {
  discrepancyConditions,
  disputeConditions,
  moneyConditions,
  repeatConditions,
  reversalConditions,
} from './money-conditions.ts';
import {
  approvals,
  approvalWaivers,
  drafts,
  failingEndpoints,
  missingSecondPersons,
  refundApprovals,
  refundControlWaivers,
  reviewWaivers,
} from './tasks.ts';

const WORST_FIRST = ['down', 'degraded', 'probing'] as const;

/**
 * Accounts of all merchants that are down, degraded or probed, those whose gateway refuses them, and outages they have in common, read
 * from memory. Always of all merchants: an outage is common to several.
 */
async function gatewayConditions(context: HealthContext, { mode }: ConditionQuery): Promise<Condition[]> {
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

/** Waiting time without a process beginning the work, beyond which it is a backlog. */
const BACKLOG_MS = 5 * 60_000;
/** For how long a sign-in from a new location is shown as open. */
const SIGN_IN_SHOWN_MS = 24 * 3_600_000;

/** A condition of no mode is recorded as live. */
const WORKSPACE = { merchantId: NIL_ID, mode: 'live', opens: true } as const;

/** Payments, jobs and deliveries that are overdue because the workers are falling behind. */
async function backlogConditions({ resources }: HealthContext, { workspace, now }: ConditionQuery): Promise<Condition[]> {
  if (!workspace) return [];
  const { database } = resources;
  const dueBefore = new Date(now.getTime() - BACKLOG_MS);
  const [payments, jobs, deliveries] = await Promise.all([
    countOverduePayments(database, dueBefore),
    countOverdueJobs(database, BACKLOG_MS),
    countOverdueDeliveries(database, dueBefore),
  ]);
  return [
    ...backlogCondition('payments', payments),
    ...backlogCondition('jobs', jobs),
    ...backlogCondition('deliveries', deliveries),
  ];
}

function backlogCondition(
  what: FactsOf<'backlog'>['what'],
  { count, oldestAt }: { readonly count: number; readonly oldestAt: Date | null },
): Condition[] {
  if (oldestAt === null) return [];
  const facts = { of: 'backlog', what, count, oldestAt: oldestAt.toISOString() } as const;
  return [{ ...WORKSPACE, kind: 'backlog', subject: what, severity: KINDS.backlog.severity, since: oldestAt, facts }];
}

/** Sign-ins of the last day from addresses that the person had not used before. */
async function signInConditions({ resources }: HealthContext, { workspace, now }: ConditionQuery): Promise<Condition[]> {
  if (!workspace) return [];
  const found = await listNewSignInPlaces(resources.database, new Date(now.getTime() - SIGN_IN_SHOWN_MS));
  return found.map(({ staffId, name, address, with: way, at }) => ({
    ...WORKSPACE,
    kind: 'sign_in_from_new_place',
    subject: `${staffId} ${address}`,
    severity: KINDS.sign_in_from_new_place.severity,
    since: at,
    facts: { of: 'sign_in', name, address, with: way, at: at.toISOString() },
  }));
}

/** Scheduled reports whose last try failed, and schedules that are paused because their owner lost rights: a condition each. */
async function reportConditions({ resources }: HealthContext, { merchantIds, workspace }: ConditionQuery): Promise<Condition[]> {
  const scoped = merchantIds === null ? null : [...merchantIds, ...(workspace ? [NIL_ID] : [])];
  const failed = await listFailedReports(resources.database, scoped);
  return failed.map(({ merchantId, scheduleId, mode, name, error, since }) => ({
    merchantId,
    mode,
    kind: 'report_failed',
    subject: scheduleId,
    severity: KINDS.report_failed.severity,
    since,
    facts: { of: 'report', scheduleId, name, error },
    opens: true,
  }));
}

/** Webhook endpoints that were switched off because they failed. */
async function endpointConditions({ resources }: HealthContext, { merchantIds }: ConditionQuery): Promise<Condition[]> {
  const endpoints = await listDisabledEndpoints(resources.database, merchantIds);
  return endpoints.map(({ merchantId, endpointId, mode, url, reason, disabledAt }) => ({
    merchantId,
    mode,
    kind: 'webhook_endpoint_off',
    subject: endpointId,
    severity: KINDS.webhook_endpoint_off.severity,
    since: disabledAt,
    facts: { of: 'endpoint', endpointId, host: URL.parse(url)?.host ?? '', reason },
    opens: true,
  }));
}

const DAY_MS = 24 * 3_600_000;
const CERTIFICATE_WARNING_MS = 14 * DAY_MS;
const CERTIFICATE_CRITICAL_MS = 3 * DAY_MS;

/** Webhook endpoints whose certificate expires soon: a warning in the last 14 days, critical in the last three and afterwards. */
async function certificateConditions({ resources }: HealthContext, { merchantIds, now }: ConditionQuery): Promise<Condition[]> {
  const before = new Date(now.getTime() + CERTIFICATE_WARNING_MS);
  const found = await listExpiringCertificates(resources.database, merchantIds, before);
  return found.map(({ merchantId, endpointId, mode, url, expiresAt }) => ({
    merchantId,
    mode,
    kind: 'certificate_expiring',
    subject: endpointId,
    severity: expiresAt.getTime() - now.getTime() < CERTIFICATE_CRITICAL_MS ? 'critical' : KINDS.certificate_expiring.severity,
    since: new Date(expiresAt.getTime() - CERTIFICATE_WARNING_MS),
    facts: {
      of: 'certificate',
      endpointId,
      host: URL.parse(url)?.host ?? '',
      expiresAt: expiresAt.toISOString(),
    },
    opens: true,
  }));
}

/** API keys that will be refused soon. */
async function keyConditions({ resources }: HealthContext, { merchantIds, now }: ConditionQuery): Promise<Condition[]> {
  const keys = await listExpiringKeys(resources.database, merchantIds, now);
  return keys.map(({ merchantId, keyId, mode, name, lastFour, expiresAt, lastUsedAt, replaced }) => ({
    merchantId,
    mode,
    kind: 'api_key_expiring',
    subject: keyId,
    severity: KINDS.api_key_expiring.severity,
    since: now,
    facts: {
      of: 'key',
      name,
      lastFour,
      expiresAt: expiresAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      replaced,
    },
    opens: true,
  }));
}

type ConditionReader = (context: HealthContext, query: ConditionQuery) => Promise<Condition[]>;
type TaskReader = (context: AttentionContext, query: TaskQuery) => Promise<Task[]>;

const moneyAndReversals: ConditionReader = async (context, query) =>
  (await Promise.all([moneyConditions(context, query), reversalConditions(context, query)])).flat();

/** Readers of the kinds that open incidents. One that finds several kinds reads once for them. */
export const CONDITION_READERS: Readonly<Record<IncidentKind, ConditionReader>> = {
  gateway_degraded: gatewayConditions,
  gateway_down: gatewayConditions,
  correlated_outage: gatewayConditions,
  credentials_refused: gatewayConditions,
  duplicate_charge: moneyAndReversals,
  refund_stuck: moneyAndReversals,
  repeated_payment: repeatConditions,
  payment_review: moneyAndReversals,
  reconciliation_discrepancy: discrepancyConditions,
  webhook_endpoint_off: endpointConditions,
  api_key_expiring: keyConditions,
  certificate_expiring: certificateConditions,
  backlog: backlogConditions,
  sign_in_from_new_place: signInConditions,
  dispute_opened: disputeConditions,
  dispute_due: disputeConditions,
  report_failed: reportConditions,
};

/** Readers of the kinds of a person's own work. */
export const TASK_READERS: Readonly<Record<TaskKind, TaskReader>> = {
  webhook_endpoint_failing: failingEndpoints,
  no_second_person: missingSecondPersons,
  approval: approvals,
  approval_waiver: approvalWaivers,
  draft: drafts,
  refund_approval: refundApprovals,
  review_waiver: reviewWaivers,
  refund_control_waiver: refundControlWaivers,
};

/** Present conditions: of all merchants, or those that concern a person. A reader that fails is reported and leaves its kinds out. */
export async function readConditions(context: HealthContext, scope: FindingScope | null, now: Date): Promise<Observation> {
  const readers = [...Map.groupBy(INCIDENT_KINDS, (kind) => CONDITION_READERS[kind])];
  const found = await Promise.all(
    readers.map(async ([read, kinds]) => {
      const query = scope === null ? { merchantIds: null, mode: null, workspace: true, now } : queryFor(kinds, scope, now);
      const concernsNoOne = query.merchantIds?.length === 0 && !query.workspace;
      const conditions = concernsNoOne ? [] : await orNull(context, kinds, read(context, query));
      return { kinds: conditions === null ? [] : kinds, conditions: conditions ?? [] };
    }),
  );
  const conditions = found.flatMap((each) => each.conditions).filter((condition) => scope === null || isOfMode(condition, scope));
  return { conditions, kinds: new Set(found.flatMap(({ kinds }) => kinds)) };
}

/** The work that waits for a person, and true if a reader failed, which is reported. */
export async function readTasks(
  context: AttentionContext,
  scope: FindingScope,
  staffId: string,
): Promise<{ readonly tasks: readonly Task[]; readonly incomplete: boolean }> {
  const found = await Promise.all(
    TASK_KINDS.map(async (kind) => {
      const { merchantIds } = scope.of(kind);
      const query = { merchantIds, mode: scope.mode, staffId };
      return merchantIds.length === 0 ? [] : orNull(context, [kind], TASK_READERS[kind](context, query));
    }),
  );
  return { tasks: found.flatMap((tasks) => tasks ?? []), incomplete: found.includes(null) };
}

function queryFor(kinds: readonly IncidentKind[], scope: FindingScope, now: Date): ConditionQuery {
  const scopes = kinds.map(scope.of);
  const merchantIds = [...new Set(scopes.flatMap((each) => each.merchantIds))];
  return { merchantIds, mode: scope.mode, workspace: scopes.some(({ workspace }) => workspace), now };
}

/** True of a condition of the scope's mode, and of what has no mode. */
function isOfMode({ merchantId, mode, facts }: Condition, scope: FindingScope): boolean {
  return mode === scope.mode || (merchantId === NIL_ID && facts.of !== 'outage');
}

/** A failing reader must not hide what the others find. */
async function orNull<Found>(context: HealthContext, kinds: readonly string[], found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    context.onError(error, `looking for ${kinds.join(', ')}`);
    return null;
  }
}
