import { type Html, html, page } from '../pages/html.ts';
import { type Inbound, json, parseJson, type Reply, type Route } from '../server/router.ts';
import type { SimulatorServers } from '../simulators.ts';
import { controlScript, controlStyle } from './style.ts';

/** A webhook that a merchant's server received. */
interface Message {
  readonly at: string;
  readonly shop: string;
  readonly webhookId: string | null;
  /** The body's `type`; null where it has none. */
  readonly type: string | null;
  readonly body: string;
  readonly answered: number;
}

const MESSAGES_MAX = 500;
const SHOWN_MAX = 100;
const BODY_MAX = 65_536;
const SHOP_NAME = /^[a-z0-9-]{1,60}$/;

/**
 * A merchant's server that accepts any webhook on `POST /shop/<name>` and lists them at the same address. It checks no signature.
 * An address with `?answer=503` answers that instead of 200.
 */
export function shopRoutes(now: () => number): readonly Route<SimulatorServers>[] {
  const messages: Message[] = [];
  const of = (shop: string | null) => messages.filter((message) => shop === null || message.shop === shop).toReversed();
  return [
    { method: 'GET', pattern: '/shop', handle: () => showMessages(null, of(null)) },
    { method: 'GET', pattern: '/shop/:name', handle: ({ params }) => showMessages(params.name ?? '', of(params.name ?? '')) },
    {
      method: 'GET',
      pattern: '/control/shop/:name',
      handle: ({ params }) => json(200, { messages: of(params.name ?? '') }),
    },
    {
      method: 'POST',
      pattern: '/shop/:name',
      handle: (request) => {
        const shop = request.params.name ?? '';
        if (!SHOP_NAME.test(shop)) return json(404, { error: 'A shop is called by small letters, digits and hyphens' });
        const message = messageOf(request, shop, new Date(now()).toISOString());
        messages.push(message);
        if (messages.length > MESSAGES_MAX) messages.shift();
        return json(message.answered, { received: message.answered < 300 });
      },
    },
  ];
}

function messageOf({ headers, body, query }: Inbound, shop: string, at: string): Message {
  const parsed = parseJson(body);
  const type: unknown = typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, 'type') : null;
  const id = headers['webhook-id'];
  const answered = Number(query.get('answer') ?? 200);
  return {
    at,
    shop,
    webhookId: typeof id === 'string' ? id : null,
    type: typeof type === 'string' ? type : null,
    body: body.subarray(0, BODY_MAX).toString('utf8'),
    answered: Number.isInteger(answered) && answered >= 200 && answered <= 599 ? answered : 200,
  };
}

function showMessages(shop: string | null, messages: readonly Message[]): Reply {
  const title = shop === null ? 'What merchants were sent' : `What ${shop} was sent`;
  const body = html`
<aside class="test-band" aria-label="Test mode"><strong>TEST</strong> · Simulates merchants' own servers.</aside>
<div class="frame">
<header class="top"><h1>${title}</h1><p class="quiet small" id="freshness" role="status">Refreshes by itself every 2 s</p></header>
<main>
<p><a href="/">Payment sandbox</a></p>
<div id="lists" data-live>${messages.length === 0 ? nothing() : messages.slice(0, SHOWN_MAX).map(show)}</div>
</main></div>`;
  return page(200, title, controlStyle, controlScript, body);
}

function nothing(): Html {
  return html`<div class="empty"><p>Nothing yet. Webhooks sent to an address like this one appear here, newest first:</p>
<pre>http://127.0.0.1:4010/shop/my-shop</pre></div>`;
}

function show({ at, shop, webhookId, type, body, answered }: Message): Html {
  const tone = answered < 300 ? 'good' : 'bad';
  return html`<details><summary><time datetime="${at}" title="${at}">${at.slice(11, 19)}</time> ${shop}
<strong>${type ?? 'something'}</strong> <span class="word ${tone}">${answered}</span> <code>${webhookId ?? ''}</code></summary>
<pre class="body">${pretty(body)}</pre></details>`;
}

function pretty(body: string): string {
  const read = parseJson(Buffer.from(body));
  return read === undefined ? body : JSON.stringify(read, null, 2);
}
