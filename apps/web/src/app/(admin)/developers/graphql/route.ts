import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { redirect } from 'next/navigation';
import { currentSession } from '../../../../server/current-session.ts';

export const dynamic = 'force-dynamic';

const QUERY = `# Ask for exactly what you need. The book at the left explains every field.
# Ctrl-Enter runs the query.

query System {
  systemHealth {
    database { up latencyMs }
    configuration { current ageMs }
    gateways { gateway mode accounts enabled }
  }
}
`;

/** The library's page with its whole code in it, made once. */
const page = renderGraphiQL({ title: 'GraphQL explorer · Switchyard', endpoint: '/api/graphql', defaultQuery: QUERY });

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
    page.replace('<script>', () => `<script nonce="${nonce}">`),
    {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cache-control': 'private, no-store',
      },
    },
  );
}
