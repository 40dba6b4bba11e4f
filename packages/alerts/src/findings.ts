import type { AttentionContext } from './context.ts';
import { type Finding, type FindingScope, findConditions, findTasks, isVisible } from './findings/find.ts';
import { presentTrouble } from './incidents/decide-incidents.ts';
import { type IncidentInList, listOpen, toOpenIncident } from './incidents/list-incidents.ts';
import { INCIDENT_KINDS, KINDS, SEVERITIES } from './kinds/kinds.ts';

export { type FindingScope, isVisible, keyOf } from './findings/find.ts';
export { describeFinding, INCIDENT_KINDS, KINDS, readFacts, SEVERITIES, TASK_KINDS } from './kinds/kinds.ts';

/** A finding that a person sees, with its incident: null before it was opened, and for a person's own work. */
export interface ListedFinding {
  readonly finding: Finding;
  readonly incident: IncidentInList | null;
}

/**
 * Findings that need a person's attention now, the most severe first and then the latest. They are read as the detection of incidents reads
 * them, and are those of the next detection: nothing waits for the worker. `incomplete` is true if a reader failed.
 */
export async function listFindings(
  context: AttentionContext,
  scope: FindingScope,
  staffId: string,
): Promise<{ readonly items: readonly ListedFinding[]; readonly incomplete: boolean }> {
  const now = context.now();
  const [incidents, observation, { tasks, incomplete }] = await Promise.all([
    listOpen(context, scope),
    findConditions(context, scope, now),
    findTasks(context, scope, staffId),
  ]);
  const { lasting, opening } = presentTrouble(incidents.map(toOpenIncident), observation, now);
  const byId = new Map(incidents.map((incident) => [incident.id, incident]));
  const items = [
    ...lasting.flatMap(({ incidentId, ...finding }) => {
      const incident = byId.get(incidentId);
      return incident === undefined ? [] : [{ finding: { ...finding, since: incident.since }, incident }];
    }),
    ...[...opening, ...tasks].map((finding) => ({ finding, incident: null })),
  ];
  return {
    items: items.filter(({ finding }) => isVisible(finding, scope)).sort(bySeverity),
    incomplete: incomplete || observation.kinds.size < INCIDENT_KINDS.length,
  };
}

/** The most severe first; of one severity money owed to customers, then the latest. */
function bySeverity({ finding: left }: ListedFinding, { finding: right }: ListedFinding): number {
  const severity = SEVERITIES.indexOf(right.severity) - SEVERITIES.indexOf(left.severity);
  const owed = Number(isOwed(right)) - Number(isOwed(left));
  return severity || owed || (right.since?.getTime() ?? 0) - (left.since?.getTime() ?? 0);
}

function isOwed({ kind }: ListedFinding['finding']): boolean {
  return KINDS[kind].isOwed === true;
}
