import { type Condition, keyOf, type Observation } from '../findings/find.ts';
import type { OutageFacts } from '../kinds/gateway-facts.ts';
import type { IncidentKey } from '../kinds/kind.ts';
import { type IncidentFacts, type IncidentSeverity, isAtLeast } from '../kinds/kinds.ts';

export interface OpenIncident extends IncidentKey {
  readonly incidentId: string;
  readonly severity: IncidentSeverity;
  readonly facts: IncidentFacts;
  /** Since when it is so. */
  readonly since: Date;
  /** Since when its condition is gone; null while it is there. */
  readonly absentSince: Date | null;
}

/** Why an incident closes: its condition ended, or another incident covers it. */
export type ClosedReason = 'ended' | 'absorbed';

/** Changes of incidents. */
export interface IncidentDecisions {
  readonly open: readonly Condition[];
  readonly close: readonly { readonly incident: OpenIncident; readonly reason: ClosedReason }[];
  /** Facts, severity or presence changed. */
  readonly update: readonly OpenIncident[];
  /** The updated incidents that are more severe now: they are sent to channels that they were not severe enough for before. */
  readonly worse: readonly OpenIncident[];
}

/** An incident closes once its condition has been absent for this long: what flaps within it is one incident. */
export const GRACE_MS = 30_000;

/**
 * Compares what is so with the open incidents. Guarantees: a condition opens at most one incident, and none while one is open for it;
 * an incident closes only after {@link GRACE_MS} without its condition, or at once when another covers it. A correlated outage covers
 * the incidents of its members and lasts until the last of them has recovered, or shows no trouble any more; an account that is down covers that it was degraded;
 * refused credentials cover the health of their account.
 */
export function decideIncidents(open: readonly OpenIncident[], { conditions, kinds }: Observation, now: Date): IncidentDecisions {
  const present = new Map(conditions.map((condition) => [keyOf(condition), condition]));
  const outages = liveOutages(open, present);
  const covered = coveredKeys(outages, present);
  const decisions = {
    open: [] as Condition[],
    close: [] as IncidentDecisions['close'][number][],
    update: [] as OpenIncident[],
    worse: [] as OpenIncident[],
  };

  for (const incident of open) {
    if (!kinds.has(incident.kind)) continue;
    const sustaining = outages.get(keyOf(incident)) ?? sustainingCondition(incident, present);
    if (covered.has(keyOf(incident))) decisions.close.push({ incident, reason: 'absorbed' });
    else if (sustaining !== undefined) {
      const next = { ...incident, facts: sustaining.facts, severity: sustaining.severity, absentSince: null };
      if (hasChanged(incident, next)) decisions.update.push(next);
      if (!isAtLeast(incident.severity, next.severity)) decisions.worse.push(next);
    } else if (incident.absentSince === null) decisions.update.push({ ...incident, absentSince: now });
    else if (now.getTime() - incident.absentSince.getTime() >= GRACE_MS) decisions.close.push({ incident, reason: 'ended' });
  }

  const openKeys = new Set(open.map(keyOf));
  for (const condition of [...present.values(), ...outages.values()]) {
    const key = keyOf(condition);
    if (!condition.opens || openKeys.has(key) || covered.has(key)) continue;
    // An account that was down and is degraded now is still the same incident.
    if (condition.kind === 'gateway_degraded' && openKeys.has(keyOf({ ...condition, kind: 'gateway_down' }))) continue;
    openKeys.add(key);
    decisions.open.push(outages.get(key) ?? condition);
  }
  return decisions;
}

/**
 * The trouble of now, as the next detection will find it: the open incidents whose condition is there, with its present facts, and the
 * conditions that it will open an incident for.
 */
export function presentTrouble(
  open: readonly OpenIncident[],
  observation: Observation,
  now: Date,
): { readonly lasting: readonly OpenIncident[]; readonly opening: readonly Condition[] } {
  const { open: opening, close, update } = decideIncidents(open, observation, now);
  const closed = new Set(close.map(({ incident }) => incident));
  const updated = new Map(update.map((incident) => [incident.incidentId, incident]));
  const lasting = open.flatMap((incident) => {
    const present = updated.get(incident.incidentId) ?? incident;
    return closed.has(incident) || present.absentSince !== null ? [] : [present];
  });
  return { lasting, opening };
}

/** The condition that keeps an incident open, if any. */
function sustainingCondition(incident: OpenIncident, present: ReadonlyMap<string, Condition>): Condition | undefined {
  const own = present.get(keyOf(incident));
  if (own !== undefined || incident.kind !== 'gateway_down') return own;
  const degraded = present.get(keyOf({ ...incident, kind: 'gateway_degraded' }));
  return degraded && { ...degraded, severity: incident.severity };
}

/** Correlated outages by key: those found now, and those open of which a member has not recovered, with all their members. */
function liveOutages(open: readonly OpenIncident[], present: ReadonlyMap<string, Condition>): Map<string, Condition> {
  const outages = new Map<string, Condition>();
  for (const condition of present.values()) {
    if (condition.facts.of === 'outage') outages.set(keyOf(condition), condition);
  }
  for (const incident of open) {
    const { facts } = incident;
    if (facts.of !== 'outage') continue;
    const found = outages.get(keyOf(incident));
    const foundFacts = found?.facts.of === 'outage' ? found.facts : null;
    const members = mergeMembers(facts.members, foundFacts?.members ?? [], incident, present);
    if (foundFacts === null && members.every(({ recovered }) => recovered)) continue;
    const methods = [...new Set([...facts.methods, ...(foundFacts?.methods ?? [])])];
    const { merchantId, mode, kind, subject, severity } = incident;
    const since = found?.since ?? new Date(members[0]?.since ?? 0);
    const merged = { of: 'outage', methods, members } as const;
    outages.set(keyOf(incident), { merchantId, mode, kind, subject, severity, since, facts: merged, opens: true });
  }
  return outages;
}

type Member = OutageFacts['members'][number];

/** The members so far and those found now; each says whether its account has recovered. */
function mergeMembers(
  before: readonly Member[],
  found: readonly Member[],
  incident: OpenIncident,
  present: ReadonlyMap<string, Condition>,
): Member[] {
  const added = found.filter(({ accountId }) => !before.some((member) => member.accountId === accountId));
  const kept = before.map((member) => {
    const again = found.find(({ accountId }) => accountId === member.accountId);
    if (again !== undefined) return { ...again, since: member.since };
    const own = memberKeys(member, incident).flatMap((key) => present.get(key) ?? []);
    return { ...member, recovered: own.every(({ isUnproven = false }) => isUnproven) };
  });
  return [...kept, ...added];
}

function memberKeys({ merchantId, accountId }: Member, { mode }: Pick<IncidentKey, 'mode'>): string[] {
  const of = { merchantId, mode, subject: accountId };
  return [keyOf({ ...of, kind: 'gateway_degraded' }), keyOf({ ...of, kind: 'gateway_down' })];
}

/** Keys of incidents that another one covers: they are not opened, and closed where they are open. */
function coveredKeys(outages: ReadonlyMap<string, Condition>, present: ReadonlyMap<string, Condition>): Set<string> {
  const covered = new Set<string>();
  for (const outage of outages.values()) {
    if (outage.facts.of !== 'outage') continue;
    const { members } = outage.facts;
    for (const member of members) for (const key of memberKeys(member, outage)) covered.add(key);
    // An outage of several merchants covers that of one of them.
    for (const other of outages.values()) {
      const isWider = isOfSeveral(members) && other !== outage && other.mode === outage.mode;
      if (
        isWider &&
        other.facts.of === 'outage' &&
        !isOfSeveral(other.facts.members) &&
        shareMember(other.facts.members, members)
      )
        covered.add(keyOf(other));
    }
  }
  for (const condition of present.values()) {
    if (!condition.opens) continue;
    const { kind } = condition;
    if (kind === 'gateway_down' && !covered.has(keyOf(condition))) covered.add(keyOf({ ...condition, kind: 'gateway_degraded' }));
    if (kind === 'credentials_refused') {
      covered.add(keyOf({ ...condition, kind: 'gateway_degraded' }));
      covered.add(keyOf({ ...condition, kind: 'gateway_down' }));
    }
  }
  return covered;
}

function isOfSeveral(members: readonly Member[]): boolean {
  return new Set(members.map(({ merchantId }) => merchantId)).size > 1;
}

function shareMember(left: readonly Member[], right: readonly Member[]): boolean {
  return left.some(({ accountId }) => right.some((member) => member.accountId === accountId));
}

function hasChanged(before: OpenIncident, after: OpenIncident): boolean {
  if (before.absentSince?.getTime() !== after.absentSince?.getTime() || before.severity !== after.severity) return true;
  return JSON.stringify(before.facts) !== JSON.stringify(after.facts);
}
