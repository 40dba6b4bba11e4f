import { NIL_ID } from '@switchyard/db';
import type { Incident, NotificationEvent } from '@switchyard/db/client';
import { UTC_CLOCK } from '@switchyard/routing';
import type { Email } from '@switchyard/runtime/mail';
import type { SendingContext } from '../context.ts';
import type { Figure } from '../kinds/kind.ts';
import {
  anchorOf,
  describeFinding,
  type IncidentFacts,
  type IncidentKind,
  type IncidentSeverity,
  KINDS,
  readFacts,
} from '../kinds/kinds.ts';
import { formatDuration } from '../kinds/words.ts';

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
  const { title, why, figures, action } = describeFinding(kind, facts, {
    merchantIds,
    clock: UTC_CLOCK,
    ended: event === 'recovered',
  });
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
function headlineOf(item: MessageItem): string {
  const state = stateWord(item);
  const title = item.title.startsWith(state) ? item.title : `${state}: ${item.title}`;
  return `${title}${placeOf(item)}`;
}

/** The headline of a whole message. */
function subjectOf({ about }: Message): string {
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
function formatStart({ since }: MessageItem): string {
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

/** The most incidents that one message describes. */
const ITEMS_MAX = 10;

/** An e-mail in plain text. */
export function formatEmail(message: Message, to: readonly string[]): Email {
  const subject = `[Switchyard] ${subjectOf(message)}`.replaceAll(/[\r\n]+/g, ' ').slice(0, 200);
  return { to: to.join(', '), subject, text: textOf(message) };
}

function textOf({ about }: Message): string {
  if (!isItems(about)) return `${about.test}\n\n${about.url}\n`;
  const parts = about.slice(0, ITEMS_MAX).map((item) => {
    const figures = item.figures.map(({ label, value }) => `${label}: ${value}`);
    const lines = [headlineOf(item), item.why, ...figures, `${formatStart(item)}.`];
    return [
      ...lines,
      `${item.actionLabel}: ${item.actionUrl}`,
      `Acknowledge or mute: ${item.url}`,
      `Runbook: ${item.runbook}`,
    ].join('\n');
  });
  return `${[...parts, ...more(about)].join('\n\n')}\n`;
}

/** The JSON of a Slack incoming webhook. */
export function formatSlack(message: Message): object {
  const { about } = message;
  const text = slackText(subjectOf(message));
  if (!isItems(about)) return { text, blocks: [slackSection(`*${text}*\n${slackText(about.test)}`)] };
  const blocks = about.slice(0, ITEMS_MAX).flatMap((item) => [
    slackSection(`${SLACK_MARKS[markOf(item)]} *${slackText(headlineOf(item))}*\n${slackText(item.why)}`),
    ...(item.figures.length === 0
      ? []
      : [{ type: 'context', elements: [{ type: 'mrkdwn', text: slackText(figuresInLine(item)).slice(0, 2_000) }] }]),
    { type: 'context', elements: [{ type: 'mrkdwn', text: slackText(`${formatStart(item)} · ${item.runbook}`) }] },
    {
      type: 'actions',
      elements: [slackButton(item.actionLabel, item.actionUrl), slackButton('Acknowledge or mute', item.url)],
    },
  ]);
  return { text, blocks: [...blocks, ...more(about).map(slackSection)] };
}

const SLACK_MARKS = { good: ':large_green_circle:', warning: ':large_orange_circle:', critical: ':red_circle:' } as const;

function slackSection(text: string): object {
  return { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, 3_000) } };
}

function slackButton(text: string, url: string): object {
  return { type: 'button', text: { type: 'plain_text', text }, url };
}

/** The three characters that Slack's markup gives a meaning. */
function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The JSON of a Microsoft Teams incoming webhook: a message with an Adaptive Card. */
export function formatTeams(message: Message): object {
  const { about } = message;
  const body = isItems(about)
    ? [...about.slice(0, ITEMS_MAX).flatMap(teamsBlocks), ...more(about).map((text) => teamsText(text))]
    : [teamsText(subjectOf(message), { weight: 'Bolder' }), teamsText(about.test)];
  const [first] = isItems(about) ? about : [];
  const links = isItems(about)
    ? first === undefined
      ? []
      : [teamsLink(first.actionLabel, first.actionUrl), teamsLink('Acknowledge or mute', first.url)]
    : [teamsLink('Open the dashboard', about.url)];
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
    actions: links,
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

const TEAMS_COLOURS = { good: 'Good', warning: 'Warning', critical: 'Attention' } as const;

function teamsBlocks(item: MessageItem): object[] {
  const facts = item.figures.map(({ label, value }) => ({ title: label, value }));
  return [
    teamsText(headlineOf(item), { weight: 'Bolder', color: TEAMS_COLOURS[markOf(item)] }),
    teamsText(item.why),
    ...(facts.length === 0 ? [] : [{ type: 'FactSet', facts }]),
    teamsText(`${formatStart(item)} · ${item.runbook}`, { isSubtle: true, size: 'Small' }),
  ];
}

function teamsText(text: string, style: object = {}): object {
  return { type: 'TextBlock', text, wrap: true, ...style };
}

function teamsLink(title: string, url: string): object {
  return { type: 'Action.OpenUrl', title, url };
}

/** PagerDuty's key of the incident: the same for all its events. */
function dedupKey({ incidentId }: MessageItem): string {
  return `switchyard-${incidentId}`;
}

/** The JSON of PagerDuty's Events API v2, for one incident. */
export function formatPagerDuty(routingKey: string, item: MessageItem): object {
  const of = { routing_key: routingKey, dedup_key: dedupKey(item) };
  if (item.event === 'recovered' || item.event === 'absorbed') return { ...of, event_action: 'resolve' };
  if (item.event === 'acknowledged') return { ...of, event_action: 'acknowledge' };
  return {
    ...of,
    event_action: 'trigger',
    client: 'Switchyard',
    client_url: item.url,
    links: [{ href: item.actionUrl, text: item.actionLabel }],
    payload: {
      summary: headlineOf(item).slice(0, 1_024),
      source: item.merchantName ?? 'switchyard',
      severity: item.severity,
      timestamp: item.since.toISOString(),
      class: item.kind,
      custom_details: {
        why: item.why,
        runbook: item.runbook,
        ...Object.fromEntries(item.figures.map((one) => [one.label, one.value])),
      },
    },
  };
}

/** PagerDuty's test: an alert that is resolved by hand there. */
export function formatPagerDutyTest(routingKey: string, { messageId }: Message, text: string): object {
  const payload = { summary: text, source: 'switchyard', severity: 'info' };
  return {
    routing_key: routingKey,
    dedup_key: `switchyard-${messageId}`,
    event_action: 'trigger',
    client: 'Switchyard',
    payload,
  };
}

/** The body of our own webhook, for one incident or a test. */
export function formatWebhook(message: Message, item: MessageItem | null): string {
  const { messageId, at, about } = message;
  const of = { id: webhookId(message, item), createdAt: at.toISOString() };
  if (item === null)
    return JSON.stringify({ ...of, type: 'channel.test', data: { text: isItems(about) ? messageId : about.test } });
  const { since, openedAt, closedAt, ...data } = item;
  const times = { since: since.toISOString(), openedAt: openedAt.toISOString(), closedAt: closedAt?.toISOString() ?? null };
  return JSON.stringify({ ...of, type: `incident.${item.event}`, data: { ...data, ...times } });
}

/** The id of a webhook message: the same whenever the same event of an incident is sent again. */
export function webhookId({ messageId }: Message, item: MessageItem | null): string {
  return item === null ? messageId : `${item.incidentId}.${item.event}`;
}

function markOf({ event, severity }: MessageItem): keyof typeof SLACK_MARKS {
  if (event === 'recovered') return 'good';
  return severity === 'critical' ? 'critical' : 'warning';
}

function figuresInLine({ figures }: MessageItem): string {
  return figures.map(({ label, value }) => `${label}: ${value}`).join(' · ');
}

function more(items: readonly MessageItem[]): string[] {
  const rest = items.length - ITEMS_MAX;
  return rest > 0 ? [`And ${rest} more: the dashboard lists them all.`] : [];
}
