import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { MODE_COOKIE, type Mode } from '../../../../scope/scope.ts';
import { currentSession } from '../../../../server/current-session.ts';
import { readyQueries } from './ready-queries.ts';

export const dynamic = 'force-dynamic';

const DAY_MS = 86_400_000;
/** Lagos keeps UTC+1 all year. */
const LAGOS_MS = 3_600_000;

/** The library's page with all its code inlined, built once for each mode. */
const pages = { test: pageFor('test'), live: pageFor('live') };

function pageFor(mode: Mode): string {
  return renderGraphiQL({
    title: 'GraphQL explorer · Switchyard',
    endpoint: '/api/graphql',
    defaultQuery: firstQuery(mode),
  });
}

function firstQuery(mode: Mode): string {
  const [first] = readyQueries({ mode, ...lastThirtyDays(Date.now()) });
  return first?.query ?? '';
}

const ROOT = '<div id="root"></div>';
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The query to be run, shown as text until the editor has loaded and replaces it. */
function preview(query: string): string {
  const text = query.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
  const style = 'margin:0;padding:24px 16px;font:13px/1.5 ui-monospace,monospace;color-scheme:light dark;color:CanvasText';
  return `<div id="root"><pre style="${style}">${text}</pre></div>`;
}

function lastThirtyDays(now: number) {
  const end = Math.floor((now + LAGOS_MS) / DAY_MS) * DAY_MS - LAGOS_MS;
  return { from: new Date(end - 30 * DAY_MS).toISOString(), to: new Date(end).toISOString() };
}

const BANDS = {
  test: { text: 'These queries ask for test payments', look: 'background:#fdf0d9;color:#7a4a00' },
  live: { text: 'These queries ask for live payments', look: 'background:#14181f;color:#fff' },
} as const;

/** Above the explorer: the mode of its queries, a link back, and example queries. Each opens in a tab of its own. */
function explorerHeader(mode: Mode): string {
  const links = readyQueries({ mode, ...lastThirtyDays(Date.now()) }).map(
    ({ name, query }) => `<a style="color:inherit" href="?mode=${mode}&query=${encodeURIComponent(query)}">${name}</a>`,
  );
  const { text, look } = BANDS[mode];
  const other = mode === 'test' ? 'live' : 'test';
  const band = `<p style="margin:0;padding:6px 16px;font:12px system-ui,sans-serif;${look}"><strong>${mode === 'test' ? 'Test' : 'Live'}</strong> ${text}. <a style="color:inherit" href="?mode=${other}">Ask for ${other} ones</a></p>`;
  const style =
    'display:flex;flex-wrap:wrap;gap:4px 16px;padding:10px 16px;font:13px system-ui,sans-serif;color-scheme:light dark;color:CanvasText;background:Canvas';
  return `<header>${band}<nav aria-label="Ready queries" style="${style}"><a style="color:inherit" href="/developers?mode=${mode}">Developers</a><span aria-hidden="true">·</span>${links.join('')}</nav></header>`;
}

/** The GraphQL explorer, for signed-in staff. Its editor writes style elements and runs workers, which only this page allows. */
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const asked = searchParams.get('mode') ?? (await cookies()).get(MODE_COOKIE)?.value;
  const mode = asked === 'live' ? 'live' : 'test';
  if ((await currentSession()) === null) redirect('/sign-in?next=/developers/graphql');
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'unsafe-inline'`,
    `worker-src blob:`,
    `img-src 'self' data:`,
    `font-src data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
  const query = searchParams.get('query') ?? firstQuery(mode);
  const page = pages[mode]
    .replace(/<body[^>]*>/, (body) => `${body}${explorerHeader(mode)}`)
    .replace(ROOT, () => preview(query))
    .replace('<script>', () => `<script nonce="${nonce}">`);
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  return new Response(page, { headers: { ...headers, 'cache-control': 'private, no-store' } });
}
