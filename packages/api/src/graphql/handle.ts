import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import { usePersistedOperations as persistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { createYoga } from 'graphql-yoga';
import type { Switchyard } from '../process.ts';
import { readBody } from '../read-body.ts';
import type { GraphqlContext } from './builder.ts';
import { tellCost } from './cost.ts';
import { LIMITS } from './limits.ts';
import { maskError } from './mask-error.ts';
import { OPERATIONS } from './operations.ts';
import { schema } from './schema.ts';
import { refusal, whoAsks } from './who-asks.ts';

const GRAPHQL_PATH = '/api/graphql';
const BODY_MAX = 65_536;

function createServer(switchyard: Switchyard) {
  return createYoga<GraphqlContext>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    batching: false,
    multipart: false,
    // Bodies are read here, within bounds of our own.
    maxRequestBodySize: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    logging: false,
    parserAndValidationCache: true,
    maskedErrors: { maskError: (error) => maskError(error, switchyard) },
    plugins: [
      persistedOperations({ getPersistedOperation: (hash) => OPERATIONS.get(hash) ?? null, allowArbitraryOperations: true }),
      maxTokensPlugin({ n: LIMITS.tokens }),
      maxAliasesPlugin({ n: LIMITS.aliases }),
      tellCost(schema),
    ],
  });
}

const servers = new WeakMap<Switchyard, ReturnType<typeof createServer>>();

/**
 * Answers `/api/graphql` by GraphQL over HTTP, for a finance token or whoever the request's cookie stands for; nobody else learns
 * anything of the schema. A question that takes longer than ten seconds is given up, and what it asked of the database too.
 */
export async function handleGraphql(switchyard: Switchyard, request: Request): Promise<Response> {
  const asking = await whoAsks(switchyard, request);
  if (asking.kind === 'refused') return refusal(asking.status, asking.code, asking.message, asking.headers);
  const bytes = await readBody(request.body, BODY_MAX);
  if (bytes === null) return refusal(413, 'TOO_LARGE', 'The query is too large.');
  const body = request.method === 'POST' ? bytes.toString() : null;
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  const yoga = servers.get(switchyard) ?? createServer(switchyard);
  servers.set(switchyard, yoga);
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(LIMITS.timeoutMs)]);
  const { viewer } = asking;
  const response = await yoga.fetch(request.url, { method: request.method, headers, body }, { switchyard, viewer, signal });
  response.headers.set('cache-control', 'no-store');
  return response;
}
