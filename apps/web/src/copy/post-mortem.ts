import { describeDuration, describeLength, describeSecond } from '../format/moments.ts';
import type { RouterOutputs } from '../trpc/outputs.ts';
import { describeOutcomes } from './incident-impact.ts';
import { describeStoryEvent, type Incident, type StoryEvent } from './incident-story.ts';

/** A heading of a post-mortem, at the beginning of its line. */
const HEADING = '### ';

/** The events that a post-mortem begins with; all others are on the timeline. */
const TOLD: ReadonlySet<StoryEvent['what']> = new Set([
  'first_sign',
  'opened',
  'acknowledged',
  'override_set',
  'override_ended',
  'rules_published',
  'recovered',
  'closed',
]);

/** A post-mortem to be written: what is known of the incident, then what only people know, with actions and their owners. */
export function postMortemDraft(incident: Incident, impact: RouterOutputs['incidents']['impact'] | null): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['Summary', [summaryOf(incident)]],
    ['Timeline', timelineOf(incident)],
    ['Impact', impact === null ? [''] : [impactOf(impact)]],
    ['Cause', ['']],
    ['What was done', ['']],
    ['Actions', ['- Action: … Owner: … Due: …']],
  ];
  return `${parts.map(([title, lines]) => `${HEADING}${title}\n${lines.join('\n')}`).join('\n\n')}\n`;
}

function summaryOf({ title, why, since, closedAt }: Incident): string {
  if (since === null) return `${title}. ${why}`;
  const begun = describeSecond(since);
  if (closedAt === null) return `${title}, since ${begun}. ${why}`;
  const length = describeDuration(closedAt.getTime() - since.getTime());
  return `${title} for ${length}, from ${begun} to ${describeSecond(closedAt)}. ${why}`;
}

/** Events of the incident, each with how long after the first. */
function timelineOf(incident: Incident): string[] {
  const told = incident.events.filter(({ what }) => TOLD.has(what));
  const [first] = told;
  return told.map((event) => {
    const { title, cause } = describeStoryEvent(event, incident);
    const after = event.at.getTime() - (first?.at.getTime() ?? 0);
    const delay = after === 0 ? '' : ` (+${describeLength(after)})`;
    const by =
      event.what === 'override_set' || event.what === 'rules_published' || event.what === 'acknowledged' ? byOf(event.by) : '';
    return `- ${describeSecond(event.at)}${delay}: ${title}${by}${event.what === 'override_ended' && cause !== null ? `. ${cause}` : ''}`;
  });
}

function byOf(name: string | null): string {
  return name === null ? '' : `, by ${name}`;
}

function impactOf({ currencies }: RouterOutputs['incidents']['impact']): string {
  const { affected, rest } = describeOutcomes(currencies);
  return `${affected ?? ''}${rest}`;
}
