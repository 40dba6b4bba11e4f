import { html, page } from '../pages/html.ts';
import { type Inbound, json, parseJson, type Reply, type Route, redirect } from '../server/router.ts';
import type { SimulatorServers } from '../simulators.ts';
import { controlStyle } from './style.ts';

/** The alert services that the sandbox imitates; the address of each is `/messages/<name>`. */
const SERVICES = ['slack', 'teams', 'pagerduty', 'webhook'] as const;

type Service = (typeof SERVICES)[number];

/** A message that a service received. */
interface CaughtMessage {
  readonly service: Service;
  readonly at: string;
  /** The line a person would see first. */
  readonly headline: string;
  readonly body: string;
}

/** More than this are not kept. */
const KEPT_MAX = 200;

/** The pages of the message catcher, and the addresses that catch. Messages are kept in memory; `now` dates them. */
export function messageRoutes(now: () => number): readonly Route<SimulatorServers>[] {
  const caught: CaughtMessage[] = [];
  return [
    { method: 'GET', pattern: '/messages', handle: () => messagesPage(caught) },
    { method: 'GET', pattern: '/control/messages', handle: () => json(200, { messages: caught }) },
    {
      method: 'POST',
      pattern: '/messages/clear',
      handle: () => {
        caught.length = 0;
        return redirect('/messages');
      },
    },
    {
      method: 'POST',
      pattern: '/messages/:service',
      handle: (request) => catchMessage(caught, request, new Date(now()).toISOString()),
    },
  ];
}

/** Answers as the service does: with what it refuses, too. */
function catchMessage(caught: CaughtMessage[], { params, body }: Inbound, at: string): Reply {
  const service = SERVICES.find((name) => name === params.service);
  if (service === undefined) return json(404, { error: `There is no service ${params.service ?? ''}` });
  const parsed = parseJson(body);
  const headline = headlineOf(service, parsed);
  if (headline === null) return json(400, { error: `This is no message to ${service}` });
  caught.unshift({ service, at, headline, body: JSON.stringify(parsed, null, 2) });
  caught.length = Math.min(caught.length, KEPT_MAX);
  switch (service) {
    case 'slack':
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' };
    case 'teams':
      return json(202, {});
    case 'pagerduty':
      return json(202, { status: 'success', message: 'Event processed', dedup_key: textAt(parsed, 'dedup_key') });
    case 'webhook':
      return json(200, {});
    default:
      return service satisfies never;
  }
}

/** The first line of a message in the service's own form; null where it has not that form. */
function headlineOf(service: Service, message: unknown): string | null {
  switch (service) {
    case 'slack':
      return textAt(message, 'text');
    case 'teams':
      return textAt(message, 'attachments', '0', 'content', 'body', '0', 'text');
    case 'pagerduty': {
      const action = textAt(message, 'event_action');
      if (action === null || textAt(message, 'routing_key') === null) return null;
      const summary = textAt(message, 'payload', 'summary');
      if (action === 'trigger') return summary === null ? null : `trigger: ${summary}`;
      return textAt(message, 'dedup_key') === null ? null : `${action}: ${textAt(message, 'dedup_key')}`;
    }
    case 'webhook': {
      const type = textAt(message, 'type');
      return type === null ? null : `${type}: ${textAt(message, 'data', 'title') ?? textAt(message, 'data', 'text') ?? ''}`;
    }
    default:
      return service satisfies never;
  }
}

function textAt(value: unknown, ...path: readonly string[]): string | null {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null) return null;
    at = Reflect.get(at, name);
  }
  return typeof at === 'string' ? at : null;
}

function messagesPage(caught: readonly CaughtMessage[]): Reply {
  const rows = caught.map(
    ({ service, at, headline, body }) => html`<tr>
<td>${at.slice(0, 19).replace('T', ' ')}</td>
<td>${service}</td>
<td><details><summary>${headline}</summary><pre>${body}</pre></details></td>
</tr>`,
  );
  const table = html`<table><thead><tr><th>Received</th><th>Service</th><th>Message</th></tr></thead><tbody>${rows}</tbody></table>`;
  const addresses = SERVICES.map((name) => html`<code>/messages/${name}</code> `);
  const content = html`<main>
<h1>Messages</h1>
<p>What Switchyard sent to services that take alerts. Add a channel of test mode with one of these addresses on this host: ${addresses}</p>
${caught.length === 0 ? html`<p>No message has arrived yet.</p>` : table}
<form method="post" action="/messages/clear"><button>Clear</button></form>
<p><a href="/">Sandbox</a></p>
</main>`;
  return page(200, 'Messages', controlStyle, '', content);
}
