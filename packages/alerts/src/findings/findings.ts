import type { AttentionContext } from '../context.ts';
import { presentTrouble } from '../incidents/decide-incidents.ts';
import { type IncidentInList, listOpen, toOpenIncident } from '../incidents/list-incidents.ts';
import { type Finding, type FindingScope, isVisible } from './finding.ts';
import { INCIDENT_KINDS, SEVERITIES } from './kinds.ts';
import { readConditions, readTasks } from './readers.ts';

export { describeFinding } from './describe-finding.ts';
export { readFacts } from './facts.ts';
export { type FindingScope, isVisible, keyOf } from './finding.ts';
export { INCIDENT_KINDS, KINDS, SEVERITIES, TASK_KINDS } from './kinds.ts';

/** A finding that a person sees, with its incident: null before it was opened, and for a person's own work. */
export interface ListedFinding {
  readonly finding: Finding;
  readonly incident: IncidentInList | null;
}

/**
 * What needs a person's attention now, the most severe first and then the latest. It is read as the detection of incidents reads it, and
 * is what the next detection will find: nothing waits for the worker. `incomplete` is true if a reader failed.
 */
export async function listFindings(
  context: AttentionContext,
  scope: FindingScope,
  staffId: string,
): Promise<{ readonly items: readonly ListedFinding[]; readonly incomplete: boolean }> {
  const now = context.now();
  const [incidents, observation, { tasks, incomplete }] = await Promise.all([
    listOpen(context, scope),
    readConditions(context, scope, now),
    readTasks(context, scope, staffId),
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

function bySeverity({ finding: left }: ListedFinding, { finding: right }: ListedFinding): number {
  const severity = SEVERITIES.indexOf(right.severity) - SEVERITIES.indexOf(left.severity);
  return severity === 0 ? (right.since?.getTime() ?? 0) - (left.since?.getTime() ?? 0) : severity;
}
