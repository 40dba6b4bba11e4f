import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { redirect } from 'next/navigation';
import { currentSession } from '../../../../server/current-session.ts';
import { readyQueries } from './ready-queries.ts';

export const dynamic = 'force-dynamic';

const DAY_MS = 86_400_000;
/** Lagos keeps UTC+1 all year. */
const LAGOS_MS = 3_600_000;

/** The library's page with its whole code in it, made once. */
const page = renderGraphiQL({
  title: 'GraphQL explorer · Switchyard',
  endpoint: '/api/graphql',
  defaultQuery: readyQueries(lastThirtyDays(Date.now()))[0]?.query ?? '',
});

function lastThirtyDays(now: number) {
  const end = Math.floor((now + LAGOS_MS) / DAY_MS) * DAY_MS - LAGOS_MS;
  return { from: new Date(end - 30 * DAY_MS).toISOString(), to: new Date(end).toISOString() };
}

/** Above the explorer: the way back, and queries to begin with. Each opens in a tab of the explorer's own. */
function shelf(): string {
  const links = readyQueries(lastThirtyDays(Date.now())).map(
    ({ name, query }) => `<a style="color:inherit" href="?query=${encodeURIComponent(query)}">${name}</a>`,
  );
  const style =
    'display:flex;flex-wrap:wrap;gap:4px 16px;padding:10px 16px;font:13px system-ui,sans-serif;color-scheme:light dark;color:CanvasText;background:Canvas';
  return `<nav aria-label="Ready queries" style="${style}"><a style="color:inherit" href="/developers">Developers</a><span aria-hidden="true">·</span>${links.join('')}</nav>`;
}

/** The GraphQL explorer, for whoever is signed in. Its editor writes style elements and runs workers, which only this page allows. */
export async function GET(): Promise<Response> {
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
  return new Response(
    page.replace(/<body[^>]*>/, (body) => `${body}${shelf()}`).replace('<script>', () => `<script nonce="${nonce}">`),
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cache-control': 'private, no-store',
      },
    },
  );
}
