import { costLimitPlugin } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import { ForbiddenError } from '@pothos/plugin-scope-auth';
import { isDatabaseAway } from '@switchyard/db';
import type { GraphQLError } from 'graphql';
import { createGraphQLError, createYoga } from 'graphql-yoga';
import type { Switchyard } from '../process.ts';
import { isFromOurPages, staffSession } from '../staff/index.ts';
import type { GraphqlContext } from './builder.ts';
import { schema } from './schema.ts';

const GRAPHQL_PATH = '/api/graphql';
const BODY_MAX = 65_536;
/** Operations beyond these are refused before anything is read. */
export const LIMITS = { depth: 8, aliases: 15, tokens: 1_000, cost: 5_000 } as const;

function createServer(switchyard: Switchyard) {
  return createYoga<GraphqlContext>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    batching: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    logging: false,
    parserAndValidationCache: true,
    maskedErrors: { maskError: (error) => mask(error, switchyard) },
    plugins: [
      maxTokensPlugin({ n: LIMITS.tokens }),
      maxDepthPlugin({ n: LIMITS.depth }),
      maxAliasesPlugin({ n: LIMITS.aliases }),
      costLimitPlugin({ maxCost: LIMITS.cost }),
    ],
  });
}

const servers = new WeakMap<Switchyard, ReturnType<typeof createServer>>();

/** Passes on what was said for the caller to read; anything else is recorded and kept back. */
function mask(error: unknown, switchyard: Switchyard): GraphQLError {
  const cause = isGraphqlError(error) ? (error.originalError ?? null) : error;
  if (isGraphqlError(error) && (cause === null || isGraphqlError(cause))) return error;
  if (cause instanceof ForbiddenError) return refused(error, cause.message, 'FORBIDDEN');
  if (isDatabaseAway(cause)) return refused(error, 'The database cannot be reached. Trying again helps.', 'UNAVAILABLE');
  switchyard.log.error({ error: cause }, 'trouble while answering a GraphQL query');
  return refused(error, 'Something went wrong on our side. It has been recorded.', 'INTERNAL');
}

/** By name: tools may load the library a second time, as another module. */
function isGraphqlError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError';
}

function refused(error: unknown, message: string, code: string): GraphQLError {
  const { nodes, path } = isGraphqlError(error) ? error : {};
  return createGraphQLError(message, { nodes: nodes ?? null, path: path ?? null, extensions: { code } });
}

/** Answers `POST /api/graphql` with JSON for whoever the request's cookie stands for; nobody else learns anything of the schema. */
export async function handleGraphql(switchyard: Switchyard, request: Request): Promise<Response> {
  const { publicUrl } = switchyard.resources;
  if (request.method !== 'POST') return refusal(405, 'METHOD_NOT_ALLOWED', 'Send queries by POST.', { allow: 'POST' });
  if (!isFromOurPages({ method: request.method, headers: request.headers, publicUrl })) {
    return refusal(403, 'FOREIGN_ORIGIN', 'This request did not come from the dashboard.');
  }
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') return refusal(415, 'NOT_JSON', 'Send JSON.');
  const session = await staffSession(switchyard, request.headers).catch((error: unknown) => {
    if (isDatabaseAway(error)) return 'away' as const;
    throw error;
  });
  if (session === 'away') return refusal(503, 'UNAVAILABLE', 'The database cannot be reached.', { 'retry-after': '2' });
  if (session === null) return refusal(401, 'UNAUTHENTICATED', 'Sign in to continue.');
  const body = await request.text();
  if (body.length > BODY_MAX) return refusal(413, 'TOO_LARGE', 'The query is too large.');
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  const yoga = servers.get(switchyard) ?? createServer(switchyard);
  servers.set(switchyard, yoga);
  const response = await yoga.fetch(new Request(request.url, { method: 'POST', headers, body }), { switchyard, session });
  response.headers.set('cache-control', 'no-store');
  return response;
}

function refusal(status: number, code: string, message: string, headers: Record<string, string> = {}): Response {
  return Response.json(
    { errors: [{ message, extensions: { code } }] },
    { status, headers: { ...headers, 'cache-control': 'no-store' } },
  );
}
