import { NIL_ID } from '@switchyard/db';
import type { Incident, NotificationEvent } from '@switchyard/db/client';
import { UTC_CLOCK } from '@switchyard/routing';
import type { SendingContext } from '../context.ts';
import { describeFinding, type Figure, formatDuration } from '../findings/describe-finding.ts';
import { type IncidentFacts, readFacts } from '../findings/facts.ts';
import { anchorOf, type IncidentKind, type IncidentSeverity, KINDS } from '../findings/kinds.ts';

/** Content of a message about one incident. */
export interface MessageItem {
  readonly incidentId: string;
  readonly event: Exclude<NotificationEvent, 'test'>;
  readonly kind: IncidentKind;
  readonly kindTitle: string;
  readonly severity: IncidentSeverity;
  readonly title: string;
  /** One sentence with figures; of an ended incident how long it lasted. */
  readonly why: string;
  readonly figures: readonly Figure[];
  /** Null for the workspace. */
  readonly merchantId: string | null;
  readonly merchantName: string | null;
  /** Null where it concerns no mode. */
  readonly mode: 'test' | 'live' | null;
  readonly since: Date;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  /** The incident in the dashboard. */
  readonly url: string;
  /** Where something is done about it. */
  readonly actionUrl: string;
  readonly actionLabel: string;
  /** `docs/runbooks.md#gateway-down` */
  readonly runbook: string;
}

/** A message to one channel. */
export interface Message {
  readonly messageId: string;
  readonly at: Date;
  /** The test of a channel, or what happened. */
  readonly about: { readonly test: string; readonly url: string } | readonly MessageItem[];
}

/** Content of a message to a channel of this merchant (the nil UUID: of the workspace) about an incident. */
export function messageItem(
  { resources }: SendingContext,
  channelMerchantId: string,
  incident: Incident,
  event: MessageItem['event'],
): MessageItem {
  const { id: incidentId, merchantId, mode, kind, severity, since, openedAt, closedAt } = incident;
  const facts = readFacts(incident.facts);
  const merchantIds = channelMerchantId === NIL_ID ? null : [channelMerchantId];
  const { title, why, figures, action } = describeFinding(kind, facts, { merchantIds, clock: UTC_CLOCK });
  const hasMode = merchantId !== NIL_ID || facts.of === 'outage';
  const scope = { mode, ...(merchantId === NIL_ID ? {} : { merchant: merchantId }) };
  return {
    incidentId,
    event,
    kind,
    kindTitle: KINDS[kind].title,
    severity,
    title,
    why: closedAt !== null && event === 'recovered' ? `${lasted(since, closedAt)}${drained(resources, facts)}` : why,
    figures: event === 'recovered' ? [] : figures,
    merchantId: merchantId === NIL_ID ? null : merchantId,
    merchantName: merchantId === NIL_ID ? null : (resources.configuration.merchant(merchantId)?.merchant.name ?? merchantId),
    mode: hasMode ? mode : null,
    since,
    openedAt,
    closedAt,
    url: addressOf(resources.publicUrl, `/alerts/${incidentId}`, scope),
    actionUrl: addressOf(resources.publicUrl, action.path, { ...scope, ...action.query }),
    actionLabel: action.label,
    runbook: `docs/runbooks.md#${anchorOf(kind)}`,
  };
}

/** `Gateway down: Paystack (paystack-main) is down, Balogun Books (live)`; a title that begins with its kind is not doubled. */
export function headlineOf(item: MessageItem): string {
  const state = stateWord(item);
  const title = item.title.startsWith(state) ? item.title : `${state}: ${item.title}`;
  return `${title}${placeOf(item)}`;
}

/** The headline of a whole message. */
export function subjectOf({ about }: Message): string {
  if (!isItems(about)) return 'Test message';
  const [first, ...others] = about;
  if (first === undefined) return 'Nothing';
  return others.length === 0 ? headlineOf(first) : `${about.length} alerts, first: ${headlineOf(first)}`;
}

/** True if a message is about incidents. */
export function isItems(about: Message['about']): about is readonly MessageItem[] {
  return Array.isArray(about);
}

/** `Recovered`, `Escalated`, or the kind. */
function stateWord({ event, kindTitle }: MessageItem): string {
  switch (event) {
    case 'recovered':
      return 'Recovered';
    case 'escalated':
      return `Not acknowledged: ${kindTitle}`;
    case 'acknowledged':
      return 'Acknowledged';
    case 'absorbed':
      return 'Merged into another incident';
    case 'opened':
      return kindTitle;
    default:
      return event satisfies never;
  }
}

/** `, Balogun Books (live)` */
function placeOf({ merchantName, mode }: MessageItem): string {
  const where = merchantName ?? (mode === null ? null : 'several merchants');
  if (where === null) return '';
  return `, ${where}${mode === null ? '' : ` (${mode})`}`;
}

/** `Began 20 Nov 2026, 14:02 UTC` */
export function formatStart({ since }: MessageItem): string {
  return `Started ${UTC_CLOCK.dateAndTimeOf(since.toISOString())}`;
}

function lasted(since: Date, closedAt: Date): string {
  const [from, to] = [since, closedAt].map((at) => UTC_CLOCK.dateAndTimeOf(at.toISOString()));
  return `It lasted ${formatDuration(closedAt.getTime() - since.getTime())}, from ${from} to ${to}.`;
}

/** ` Still drained: paystack-main. Put back in the dashboard.` where that is so, of an incident of gateways; else nothing. */
function drained({ configuration }: SendingContext['resources'], facts: IncidentFacts): string {
  const accounts = facts.of === 'gateway' ? [facts] : facts.of === 'outage' ? facts.members : [];
  const now = new Date();
  const still = accounts.filter(({ accountId }) => {
    const known = configuration.account(accountId);
    if (known === undefined) return false;
    const { overrides, gatewayOverrides } = known.merchant;
    const ofGateway = gatewayOverrides.filter(
      ({ gateway, mode }) => gateway === known.account.gateway && mode === known.account.mode,
    );
    return [...overrides.filter((one) => one.accountId === accountId), ...ofGateway].some(({ action, startsAt, expiresAt }) => {
      return action !== 'force' && (startsAt === null || startsAt <= now) && (expiresAt === null || expiresAt > now);
    });
  });
  return still.length === 0 ? '' : ` Still drained: ${still.map(({ label }) => label).join(', ')}. Put back in the dashboard.`;
}

function addressOf(publicUrl: string, path: string, query: Readonly<Record<string, string>>): string {
  return `${publicUrl}${path}?${new URLSearchParams(query)}`;
}
