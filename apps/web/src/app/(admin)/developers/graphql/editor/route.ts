import { redirect } from 'next/navigation';
import { currentSession } from '#/server/session.ts';

export const dynamic = 'force-dynamic';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Hides the library's title, whose contrast is too low, and the heading from sight. */
const STYLE = `.graphiql-logo { display: none }
.editor-heading { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%) }`;

/** The library makes a tab of each list item, with buttons inside, which no tab may have: a list of buttons is what it is. */
const ROLES = `new MutationObserver(() => {
  for (const list of document.querySelectorAll('ul[role="tablist"]')) list.setAttribute('role', 'list');
  for (const item of document.querySelectorAll('li[role="tab"]')) {
    item.removeAttribute('role');
    item.removeAttribute('aria-selected');
  }
}).observe(document.documentElement, { childList: true, subtree: true });`;

/** The query to be run, shown as text until the editor has loaded and replaces it. */
function preview(query: string): string {
  const text = query.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
  const style = 'margin:0;padding:24px 16px;font:13px/1.5 ui-monospace,monospace;color-scheme:light dark;color:CanvasText';
  const heading = '<h1 class="editor-heading">GraphQL editor</h1>';
  return `<style>${STYLE}</style><main aria-label="GraphQL editor">${heading}<div id="root"><pre style="${style}">${text}</pre></div></main>`;
}

/**
 * GraphiQL for signed-in staff, framed by the finance explorer. Its editor writes style elements and runs workers, which only this page
 * allows.
 */
export async function GET(request: Request): Promise<Response> {
  if ((await currentSession()) === null) redirect('/sign-in?next=/developers/graphql');
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'unsafe-inline'`,
    `worker-src blob:`,
    `img-src 'self' data:`,
    `font-src data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'self'`,
  ].join('; ');
  const query = new URL(request.url).searchParams.get('query') ?? '';
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>GraphQL editor · Switchyard</title><link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/developers/graphql/editor/style.css"></head>
<body class="no-focus-outline">${preview(query)}
<script nonce="${nonce}">${ROLES}</script><script nonce="${nonce}" src="/developers/graphql/editor/script.js"></script></body>
</html>`;
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
  return new Response(body, { headers: { ...headers, 'cache-control': 'private, no-store' } });
}
