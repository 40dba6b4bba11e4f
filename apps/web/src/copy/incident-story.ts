import { describeSecond } from '../format/moments.ts';
import type { RouterOutputs } from '../trpc/outputs.ts';
import { CHANNEL_WORDS, describeSendError } from './alerts.ts';
import { methodTitle } from './gateways.ts';
import { HEALTH_LABELS, type HealthState, healthReasonText, healthStateText, OVERRIDE_LABELS } from './health.ts';
import type { Tone } from './payment-status.ts';

/** An incident with its story. */
export type Incident = RouterOutputs['incidents']['byId'];

/** Something that happened in the course of an incident. */
export type StoryEvent = Incident['events'][number];

/** An event in words. */
export interface StoryText {
  readonly title: string;
  readonly sentence: string | null;
  /** Its effect on routing, or who did it. */
  readonly cause: string | null;
  readonly tone: Tone;
}

/** An event of an incident in words, in the past once the incident is closed. Merchants are named where it concerns several. */
export function describeStoryEvent(event: StoryEvent, incident: Pick<Incident, 'accounts' | 'closedAt'>): StoryText {
  const isOfSeveral = isOfSeveralMerchants(incident);
  const isOver = incident.closedAt !== null;
  switch (event.what) {
    case 'first_sign':
      return {
        title: `First failed checkout: ${accountIn(event.account, isOfSeveral)}`,
        sentence: event.fault.message,
        cause: null,
        tone: 'bad',
      };
    case 'health': {
      const { tone, meaning } = HEALTH_LABELS[event.state];
      const where = event.method === null ? '' : `, ${methodTitle(event.method)}`;
      return {
        title: `${healthStateText(event)}: ${accountIn(event.account, isOfSeveral)}${where}`,
        sentence: healthReasonText({ why: event.why }, isOver) || null,
        cause: `Routing: ${isOver ? MEANT[event.state] : `${meaning.charAt(0).toLowerCase()}${meaning.slice(1)}`}`,
        tone,
      };
    }
    case 'opened':
      return { title: 'Incident opened', sentence: null, cause: null, tone: 'bad' };
    case 'notified':
      return describeMessage(event);
    case 'acknowledged':
      return { title: 'Acknowledged', sentence: null, cause: `By ${event.by ?? 'a former colleague'}`, tone: 'good' };
    case 'muted':
      return {
        title: 'Muted',
        sentence: `No messages until ${describeSecond(event.until)}.`,
        cause: `By ${event.by ?? 'a former colleague'}`,
        tone: 'over',
      };
    case 'unmuted':
      return {
        title: 'Unmuted',
        sentence: 'Messages are sent again.',
        cause: `By ${event.by ?? 'a former colleague'}`,
        tone: 'over',
      };
    case 'override_set':
      return {
        title: `${OVERRIDE_LABELS[event.action].past}: ${overriddenIn(event, isOfSeveral)}${ofMethod(event.method)}`,
        sentence: event.reason,
        cause: `${OVERRIDE_LABELS[event.action].means} By ${event.by ?? 'a former colleague'}`,
        tone: 'wait',
      };
    case 'override_ended':
      return {
        title: `${OVERRIDE_ENDED[event.action]}: ${overriddenIn(event, isOfSeveral)}${ofMethod(event.method)}`,
        sentence: null,
        cause: event.isPutBack
          ? 'Put back by itself: the gateway had recovered'
          : event.isExpired
            ? 'It expired'
            : `By ${event.by ?? 'a former colleague'}`,
        tone: 'over',
      };
    case 'rules_published':
      return {
        title: `Rules published: version ${event.version}`,
        sentence: isOfSeveral ? event.merchantName : null,
        cause: `By ${event.by ?? 'the system'}`,
        tone: 'over',
      };
    case 'recovered':
      return { title: 'Recovered', sentence: null, cause: null, tone: 'good' };
    case 'closed':
      return event.isAbsorbed
        ? { title: 'Merged into another incident', sentence: null, cause: null, tone: 'over' }
        : { title: 'Closed', sentence: 'Healthy for 30 s.', cause: null, tone: 'over' };
    default:
      return event satisfies never;
  }
}

/** Consequences of states for payments in an incident that is over. */
const MEANT: Record<HealthState, string> = {
  healthy: 'payments went there as the rules say',
  degraded: 'payments went there after healthy accounts',
  down: 'payments went there only when no better account opened a checkout',
  probing: 'single payments went there first, to prove that it works again',
};

const OVERRIDE_ENDED = { drain: 'Drain ended', disable: 'Enabled again', force: 'Force ended' } as const;

function describeMessage({ event, state, channels, error }: Extract<StoryEvent, { what: 'notified' }>): StoryText {
  const names = channels.map(({ name, kind }) => (kind === null ? name : `${name} (${CHANNEL_WORDS[kind]})`)).join(', ');
  const what = MESSAGE_WORDS[event];
  switch (state) {
    case 'SENT':
      return { title: `${what} sent`, sentence: `To ${names}`, cause: null, tone: 'over' };
    case 'PENDING':
      return { title: `${what} not sent yet`, sentence: `To ${names}`, cause: describeSendError(error) || null, tone: 'wait' };
    case 'FAILED':
      return { title: `${what} not delivered`, sentence: `To ${names}`, cause: describeSendError(error) || null, tone: 'bad' };
    case 'SKIPPED':
      return { title: `${what} not sent`, sentence: `To ${names}`, cause: describeSendError(error) || null, tone: 'over' };
    default:
      return state satisfies never;
  }
}

const MESSAGE_WORDS = {
  opened: 'Alert',
  acknowledged: 'Acknowledgement',
  escalated: 'Escalation',
  recovered: 'Recovery message',
  absorbed: 'Merge message',
  test: 'Test message',
} as const;

type Overridden = Pick<Incident['accounts'][number], 'label' | 'merchantName' | 'gateway'>;

/** The account of an override, or the gateway that it concerned for all merchants. */
function overriddenIn(
  { account, isOfGateway }: { readonly account: Overridden; readonly isOfGateway: boolean },
  isOfSeveral: boolean,
): string {
  return isOfGateway ? `${account.gateway} for all merchants` : accountIn(account, isOfSeveral);
}

function accountIn(
  { label, merchantName }: { readonly label: string; readonly merchantName: string },
  isOfSeveral: boolean,
): string {
  return isOfSeveral ? `${label} of ${merchantName}` : label;
}

function ofMethod(method: string | null): string {
  return method === null ? '' : `, ${methodTitle(method)}`;
}

/** True if the accounts of an incident are of several merchants. */
export function isOfSeveralMerchants({ accounts }: Pick<Incident, 'accounts'>): boolean {
  return new Set(accounts.map(({ merchantId }) => merchantId)).size > 1;
}
