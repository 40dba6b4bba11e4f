import { costLimitPlugin } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import { isDatabaseAway } from '@switchyard/db';
import { createGraphQLError, createYoga } from 'graphql-yoga';
import type { Switchyard } from '../process.ts';
import { isFromOurPages, staffSession } from '../staff/index.ts';
import type { GraphqlContext } from './builder.ts';
import { schema } from './schema.ts';

const GRAPHQL_PATH = '/api/graphql';
const BODY_MAX = 65_536;
/** Operations beyond these are refused before anything is read. */
export const LIMITS = { depth: 8, aliases: 15, tokens: 1_000, cost: 5_000 } as const;

const yoga = createYoga<GraphqlContext>({
  schema,
  graphqlEndpoint: GRAPHQL_PATH,
  batching: false,
  graphiql: false,
  landingPage: false,
  cors: false,
  logging: false,
  parserAndValidationCache: true,
  maskedErrors: {
    maskError(error, message) {
      const cause = error instanceof Error && 'originalError' in error ? error.originalError : error;
      if (isDatabaseAway(cause))
        return createGraphQLError('The database cannot be reached. Trying again helps.', { extensions: { code: 'UNAVAILABLE' } });
      if (cause === undefined || (cause instanceof Error && cause.name === 'GraphQLError') || isForbidden(cause)) {
        return error instanceof Error ? error : createGraphQLError(message);
      }
      process.stderr.write(`${JSON.stringify({ level: 'error', doing: 'answering a GraphQL query', error: String(cause) })}\n`);
      return createGraphQLError('Something went wrong on our side. It has been recorded.', { extensions: { code: 'INTERNAL' } });
    },
  },
  plugins: [
    maxTokensPlugin({ n: LIMITS.tokens }),
    maxDepthPlugin({ n: LIMITS.depth }),
    maxAliasesPlugin({ n: LIMITS.aliases }),
    costLimitPlugin({ maxCost: LIMITS.cost }),
  ],
});

function isForbidden(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'ForbiddenError';
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
  const session = await staffSession(switchyard, request.headers);
  if (session === null) return refusal(401, 'UNAUTHENTICATED', 'Sign in to continue.');
  const body = await request.text();
  if (body.length > BODY_MAX) return refusal(413, 'TOO_LARGE', 'The query is too large.');
  const headers = new Headers(request.headers);
  headers.delete('content-length');
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
