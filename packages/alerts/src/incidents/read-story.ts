import type { Incident, NotificationChannelKind, NotificationEvent, NotificationState } from '@switchyard/db/client';
import { type FirstFault, readFirstFaults } from '@switchyard/payments/incident-impact';
import { readHealthStates } from '@switchyard/provider-health/health-states';
import type { HealthState, StoredHealthReason } from '@switchyard/routing';
import { listOverridesWithin } from '@switchyard/rule-sets/override-rows';
import { listVersionsPublishedWithin } from '@switchyard/rule-sets/version-rows';
import type { RuntimeContext } from '@switchyard/runtime';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import { readAuditOf } from '@switchyard/staff/audit-of';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { z } from 'zod';
import { accountIn } from '../kinds/gateway-facts.ts';
import { HEALTH_KINDS } from './health-kinds.ts';
import { readChart, type ShownChart, spansByMethod } from './incident-chart.ts';

/** A gateway account of an incident's story. */
export interface StoryAccount {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly accountId: string;
  /** As they were called when the incident was found. */
  readonly gateway: string;
  readonly label: string;
  /** Since when payments met the fault, and until when: exclusive, null while the incident is open. */
  readonly metFrom: Date;
  readonly metUntil: Date | null;
  /** Null before it was first drawn, and of incidents before charts were kept. */
  readonly chart: ShownChart | null;
}

/** A channel that gets a message about an incident. */
export interface NotifiedChannel {
  readonly name: string;
  readonly kind: NotificationChannelKind | null;
}

type Account = Pick<StoryAccount, 'merchantName' | 'accountId' | 'label' | 'gateway'>;

/** Something that happened in the course of an incident. */
export type StoryEvent = { readonly at: Date } & (
  | { readonly what: 'first_sign'; readonly account: Account; readonly fault: Pick<FirstFault, 'paymentId' | 'code' | 'message'> }
  | {
      readonly what: 'health';
      readonly account: Account;
      /** Null for all methods. */
      readonly method: string | null;
      readonly state: HealthState;
      readonly why: StoredHealthReason;
    }
  | { readonly what: 'opened' }
  | {
      readonly what: 'notified';
      readonly event: NotificationEvent;
      readonly state: NotificationState;
      readonly channels: readonly NotifiedChannel[];
      /** Why it was not sent; see `describeSendError`. */
      readonly error: string | null;
    }
  | { readonly what: 'acknowledged'; readonly by: string | null }
  /** No messages about it are sent until then. */
  | { readonly what: 'muted'; readonly by: string | null; readonly until: Date }
  | { readonly what: 'unmuted'; readonly by: string | null }
  | {
      readonly what: 'override_set' | 'override_ended';
      readonly account: Account;
      readonly method: string | null;
      readonly action: 'drain' | 'disable' | 'force';
      readonly reason: string;
      /** Name of who did it; null for a former colleague, and where it expired or ended with its account. */
      readonly by: string | null;
      readonly isExpired: boolean;
      /** True if it ended by itself, its gateway having recovered. */
      readonly isPutBack: boolean;
      /** True if it concerned all accounts of the gateway, those of all merchants. */
      readonly isOfGateway: boolean;
      readonly expiresAt: Date | null;
    }
  | { readonly what: 'rules_published'; readonly merchantName: string; readonly version: number; readonly by: string | null }
  | { readonly what: 'recovered' }
  | { readonly what: 'closed'; readonly isAbsorbed: boolean }
);

/** Events in the course of an incident, in order, and the accounts it is about. */
export interface IncidentStory {
  readonly accounts: readonly StoryAccount[];
  readonly events: readonly StoryEvent[];
}

/** The merchants whose part of a story is shown. */
export interface StoryScope {
  readonly merchantIds: readonly string[];
  /** The merchants whose channels are named: a merchant's people do not see who else is notified. */
  readonly channelMerchantIds: readonly string[];
}

/** Dependencies of the story of an incident, which only reads. */
type StoryContext = RuntimeContext<'configuration' | 'database'>;

/** Overrides and rules set this shortly before an incident belong to its story. */
const BEFORE_MS = 60 * 60_000;
const MESSAGES_MAX = 200;
const CHANGES_MAX = 5_000;

/**
 * The story of an incident from what was stored at the time: first fault, changes of health, overrides, rules published, messages sent,
 * acknowledgement, muting and end. Changes of health are those recorded so far while it is open, then those of its chart, which does not age
 * out; mutes are those of the audit log.
 */
export function readStory(context: StoryContext, incident: Incident, scope: StoryScope): Promise<IncidentStory> {
  return inSnapshot(context, (snapshot) => readEvents(snapshot, incident, scope));
}

async function readEvents(context: StoryContext, incident: Incident, scope: StoryScope): Promise<IncidentStory> {
  const isOfHealth = HEALTH_KINDS.includes(incident.kind);
  const accounts = isOfHealth ? await readAccounts(context, incident, scope.merchantIds) : [];
  const parts = await Promise.all([
    firstSigns(context, incident, accounts),
    overrideEvents(context, incident, accounts),
    isOfHealth ? ruleEvents(context, incident, accounts) : [],
    messageEvents(context, incident, scope.channelMerchantIds),
    staffEvents(context, incident),
    healthEvents(context, incident, accounts),
  ]);
  const events = [...parts.flat(), ...ownEvents(incident)];
  return {
    accounts,
    events: events.sort((left, right) => left.at.getTime() - right.at.getTime() || rankOf(left) - rankOf(right)),
  };
}

async function readAccounts(
  { resources }: StoryContext,
  { id: incidentId, facts: stored }: Incident,
  merchantIds: readonly string[],
): Promise<StoryAccount[]> {
  const { configuration, database } = resources;
  const rows = await database.prisma.incidentAccount.findMany({
    where: { merchantId: { in: [...merchantIds] }, incidentId },
    orderBy: [{ metFrom: 'asc' }, { accountId: 'asc' }],
  });
  return rows.map(({ merchantId, accountId, metFrom, metUntil, chart }) => {
    const named = accountIn(stored, accountId);
    return {
      merchantId,
      merchantName: configuration.merchant(merchantId)?.merchant.name ?? merchantId,
      accountId,
      gateway: named?.gateway ?? '',
      label: named?.label ?? configuration.account(accountId)?.account.label ?? accountId,
      metFrom,
      metUntil,
      chart: readChart(chart),
    };
  });
}

async function firstSigns(
  { resources }: StoryContext,
  { id: incidentId }: Incident,
  accounts: readonly StoryAccount[],
): Promise<StoryEvent[]> {
  if (accounts.length === 0) return [];
  const merchantIds = merchantsOf(accounts);
  const faults = await readFirstFaults(resources.database, { merchantIds, incidentId });
  return faults.flatMap(({ accountId, at, ...fault }) => {
    const account = accounts.find((one) => one.accountId === accountId);
    return account === undefined ? [] : [{ what: 'first_sign' as const, at, account: shown(account), fault }];
  });
}

async function healthEvents(
  context: StoryContext,
  { closedAt }: Incident,
  accounts: readonly StoryAccount[],
): Promise<StoryEvent[]> {
  // The chart of an open incident is up to a minute old: an account that went down since would be missing.
  const recorded = closedAt === null ? await recordedStates(context, accounts) : [];
  return accounts.flatMap((account) => {
    const own = recorded.filter(({ accountId }) => accountId === account.accountId);
    const ofChart = (account.chart?.series ?? []).map(({ method, spans }) => [method, spans] as const);
    // From before the fault on, so that the state at its beginning is no event.
    const series = own.length > 0 ? [...spansByMethod(own, new Date(account.metFrom.getTime() - 1))] : ofChart;
    const states = series.flatMap(([method, spans]) => spans.map(({ state, why, from: at }) => ({ method, state, why, at })));
    return states
      .filter(({ at }) => at >= account.metFrom && (closedAt === null || at <= closedAt))
      .filter((state) => state.method !== null || !states.some((other) => isSameOfMethod(state, other)))
      .map(({ method, state, why, at }) => ({ what: 'health' as const, at, account: shown(account), method, state, why }));
  });
}

async function recordedStates({ resources, now }: StoryContext, accounts: readonly StoryAccount[]) {
  const [first] = accounts;
  if (first === undefined) return [];
  const of = { merchantIds: merchantsOf(accounts), accountIds: accounts.map(({ accountId }) => accountId) };
  // Accounts are in the order in which payments met the fault.
  return readHealthStates(resources.database, of, { from: first.metFrom, to: now() }, CHANGES_MAX);
}

/** True where one method of an account entered the same state as the account did, within a moment: only the method's change is shown. */
function isSameOfMethod(
  whole: { readonly state: HealthState; readonly at: Date },
  other: { readonly method: string | null; readonly state: HealthState; readonly at: Date },
): boolean {
  return other.method !== null && other.state === whole.state && Math.abs(other.at.getTime() - whole.at.getTime()) < 1_000;
}

async function overrideEvents(
  { resources, now }: StoryContext,
  { mode, since, closedAt }: Incident,
  accounts: readonly StoryAccount[],
): Promise<StoryEvent[]> {
  if (accounts.length === 0) return [];
  const { configuration, database } = resources;
  const gatewayOf = ({ accountId }: StoryAccount) => configuration.account(accountId)?.account.gateway;
  const of = {
    merchantIds: merchantsOf(accounts),
    accountIds: accounts.map(({ accountId }) => accountId),
    gateways: accounts.flatMap((account) => gatewayOf(account) ?? []),
    mode,
  };
  const within = { from: new Date(since.getTime() - BEFORE_MS), to: closedAt ?? now() };
  const overrides = await listOverridesWithin(database, of, within);
  const names = await readStaffNames(
    database,
    overrides.flatMap(({ actor, endedBy }) => [staffIdOf(actor), staffIdOf(endedBy)].filter((id) => id !== null)),
  );
  return overrides.flatMap((override): StoryEvent[] => {
    const isOfGateway = override.accountId === null;
    const account = accounts.find((one) =>
      isOfGateway ? gatewayOf(one) === override.gateway : one.accountId === override.accountId,
    );
    if (account === undefined) return [];
    const { method, action, reason, actor, createdAt, startsAt, expiresAt, endedBy } = override;
    const begunAt = startsAt ?? createdAt;
    const endedAt = override.endedAt ?? (expiresAt !== null && expiresAt <= now() ? expiresAt : null);
    const isExpired = override.endedAt === null || endedBy === 'system:expiry';
    const isPutBack = endedBy === 'system:put-back';
    const facts = { account: shown(account), isOfGateway, method, action, reason, expiresAt };
    const wasPlanned = endedAt !== null && endedAt < begunAt;
    if (wasPlanned || begunAt > within.to) return [];
    return [
      ...(begunAt < within.from
        ? []
        : [
            {
              what: 'override_set' as const,
              at: begunAt,
              ...facts,
              by: nameOf(actor, names),
              isExpired: false,
              isPutBack: false,
            },
          ]),
      ...(endedAt === null
        ? []
        : [{ what: 'override_ended' as const, at: endedAt, ...facts, by: nameOf(endedBy, names), isExpired, isPutBack }]),
    ];
  });
}

async function ruleEvents(
  { resources, now }: StoryContext,
  { mode, since, closedAt }: Incident,
  accounts: readonly StoryAccount[],
): Promise<StoryEvent[]> {
  const { configuration, database } = resources;
  const of = { merchantIds: merchantsOf(accounts), mode };
  const versions = await listVersionsPublishedWithin(database.prisma, of, { from: since, to: closedAt ?? now() });
  const names = await readStaffNames(
    database,
    versions.flatMap(({ publishedBy }) => staffIdOf(publishedBy) ?? []),
  );
  return versions.flatMap(({ merchantId, version, publishedAt, publishedBy }) => {
    if (version === null || publishedAt === null) return [];
    const merchantName = configuration.merchant(merchantId)?.merchant.name ?? merchantId;
    return [{ what: 'rules_published' as const, at: publishedAt, merchantName, version, by: nameOf(publishedBy, names) }];
  });
}

async function messageEvents(
  { resources }: StoryContext,
  { id: incidentId, merchantId }: Incident,
  channelMerchantIds: readonly string[],
): Promise<StoryEvent[]> {
  const { prisma } = resources.database;
  const rows = await prisma.notification.findMany({
    where: { merchantId, incidentId, channelMerchantId: { in: [...channelMerchantIds] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: MESSAGES_MAX,
  });
  const channels = await prisma.notificationChannel.findMany({
    where: { merchantId: { in: [...channelMerchantIds] }, id: { in: [...new Set(rows.map(({ channelId }) => channelId))] } },
    select: { id: true, name: true, kind: true },
  });
  const known = new Map(channels.map(({ id, name, kind }) => [id, { name, kind }]));
  // One event for all channels that a message went to at once.
  const told = Map.groupBy(rows, ({ event, state, error, sentAt, createdAt }) => {
    return [event, state, error, Math.round((sentAt ?? createdAt).getTime() / 1_000)].join('|');
  });
  return [...told.values()].flatMap((own): StoryEvent[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { event, state, error, sentAt, createdAt } = first;
    const named = own.map(({ channelId }) => known.get(channelId) ?? { name: '', kind: null });
    return [{ what: 'notified', at: sentAt ?? createdAt, event, state, channels: named, error }];
  });
}

const mutedUntil = z.object({ until: z.iso.datetime().transform((text) => new Date(text)) });

/** Actions of people about an incident. Mutes are from the audit log, since the incident itself has only the last one. */
async function staffEvents(
  { resources }: StoryContext,
  { id, merchantId, acknowledgedAt, acknowledgedBy }: Incident,
): Promise<StoryEvent[]> {
  const { database } = resources;
  const entries = await readAuditOf(database, merchantId, [id]);
  const names = await readStaffNames(
    database,
    [acknowledgedBy, ...entries.map(({ actor }) => actor)].flatMap((actor) => staffIdOf(actor) ?? []),
  );
  const mutes = entries.flatMap(({ action, actor, after, createdAt: at }): StoryEvent[] => {
    if (action === 'incident.unmuted') return [{ what: 'unmuted', at, by: nameOf(actor, names) }];
    const muted = action === 'incident.muted' ? mutedUntil.safeParse(after) : null;
    return muted?.success ? [{ what: 'muted', at, by: nameOf(actor, names), until: muted.data.until }] : [];
  });
  if (acknowledgedAt === null) return mutes;
  return [{ what: 'acknowledged', at: acknowledgedAt, by: nameOf(acknowledgedBy, names) }, ...mutes];
}

function ownEvents(incident: Incident): StoryEvent[] {
  const { openedAt, absentSince, closedAt, closedReason } = incident;
  const isAbsorbed = closedReason === 'absorbed';
  return [
    { what: 'opened', at: openedAt },
    ...(absentSince === null || isAbsorbed ? [] : [{ what: 'recovered' as const, at: absentSince }]),
    ...(closedAt === null ? [] : [{ what: 'closed' as const, at: closedAt, isAbsorbed }]),
  ];
}

const ORDER: readonly StoryEvent['what'][] = [
  'first_sign',
  'health',
  'opened',
  'notified',
  'acknowledged',
  'muted',
  'unmuted',
  'rules_published',
  'override_set',
  'override_ended',
  'recovered',
  'closed',
];

/** The place of an event among those of the same moment: a message of the end comes after it. */
function rankOf(event: StoryEvent): number {
  const isOfEnd = event.what === 'notified' && (event.event === 'recovered' || event.event === 'absorbed');
  return isOfEnd ? ORDER.length : ORDER.indexOf(event.what);
}

function shown({ merchantName, accountId, label, gateway }: StoryAccount): Account {
  return { merchantName, accountId, label, gateway };
}

function merchantsOf(accounts: readonly StoryAccount[]): string[] {
  return [...new Set(accounts.map(({ merchantId }) => merchantId))];
}

function staffIdOf(actor: string | null): string | null {
  return actor?.startsWith('staff:') ? actor.slice('staff:'.length) : null;
}

function nameOf(actor: string | null, names: ReadonlyMap<string, string>): string | null {
  return names.get(staffIdOf(actor) ?? '') ?? null;
}
