import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import { usePersistedOperations as persistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import type { GraphQLError } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { PlainRequest, PlainResponse } from '../http/plain.ts';
import type { Switchyard } from '../process.ts';
import type { GraphqlContext } from './builder.ts';
import { tellCost } from './cost.ts';
import { LIMITS } from './limits.ts';
import { maskError } from './mask-error.ts';
import { OPERATIONS } from './operations.ts';
import { FOR_NOBODY_ELSE, refusal } from './refusal.ts';
import { schema } from './schema.ts';
import type { Viewer } from './viewer.ts';
import { rememberWhoAsked, whoAskedBefore } from './who-asked-before.ts';
import { whoAsks } from './who-asks.ts';

export const GRAPHQL_PATH = '/api/graphql';

/** What GraphQL over HTTP says of a request without a query. */
const NO_QUERY = {
  message: 'Must provide query string.',
  extensions: { code: 'BAD_REQUEST', http: { spec: true, status: 400 } },
};

/** The limits' plugins give their errors no code. */
function tooCostly(_context: unknown, error: GraphQLError): void {
  error.extensions.code = 'TOO_COSTLY';
}

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
      persistedOperations({
        getPersistedOperation: (hash) => OPERATIONS.get(hash) ?? null,
        allowArbitraryOperations: true,
        customErrors: { keyNotFound: NO_QUERY },
      }),
      maxTokensPlugin({ n: LIMITS.tokens, onReject: [tooCostly] }),
      maxAliasesPlugin({ n: LIMITS.aliases, onReject: [tooCostly] }),
      tellCost(schema),
    ],
  });
}

const servers = new WeakMap<Switchyard, ReturnType<typeof createServer>>();

/**
 * Answers `/api/graphql` by GraphQL over HTTP, for a finance token or whoever the request's cookie stands for; nobody else learns
 * anything of the schema. A question that takes longer than ten seconds is given up, and what it asked of the database too.
 */
export async function handleGraphql(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  const early = beginEarly(switchyard, request);
  try {
    const { headers } = request;
    const asking = await whoAsks(switchyard, headers);
    if (asking.kind === 'known' && early?.viewer === asking.viewer) return await early.answer;
    early?.giveUp();
    if (asking.kind === 'refused') return refusal(asking.status, asking.code, asking.message, asking.headers);
    rememberWhoAsked(switchyard, headers, asking.viewer);
    return await answer(switchyard, asking.viewer, request);
  } catch (error) {
    early?.giveUp();
    switchyard.log.error({ error }, 'a GraphQL request failed');
    return refusal(500, 'INTERNAL', 'Something went wrong on our side. It has been recorded.');
  }
}

/** An answer that is worked out while somebody is found out about. It is theirs only if they are who it was made for. */
interface EarlyAnswer {
  readonly viewer: Viewer;
  readonly answer: Promise<PlainResponse>;
  giveUp(): void;
}

/** Finding out who asks takes as long as many an answer: for whoever has just asked, both happen at the same time. */
function beginEarly(switchyard: Switchyard, request: PlainRequest): EarlyAnswer | null {
  const viewer = whoAskedBefore(switchyard, request.headers);
  if (viewer === null) return null;
  const stop = new AbortController();
  const begun = answer(switchyard, viewer, request, stop.signal);
  // A failure counts when it is waited for.
  begun.catch(() => undefined);
  return { viewer, answer: begun, giveUp: () => stop.abort() };
}

async function answer(switchyard: Switchyard, viewer: Viewer, request: PlainRequest, stop?: AbortSignal): Promise<PlainResponse> {
  if (request.body.kind === 'too_large') return refusal(413, 'TOO_LARGE', 'The query is too large.');
  const { method, query } = request;
  // The body is handed on as text, which may have another length than its bytes.
  const { 'content-length': _, ...headers } = request.headers;
  const body = method === 'POST' ? Buffer.from(request.body.bytes).toString() : null;
  const yoga = servers.get(switchyard) ?? createServer(switchyard);
  servers.set(switchyard, yoga);
  const url = `http://localhost${GRAPHQL_PATH}${query === '' ? '' : `?${query}`}`;
  const patience = startPatience([request.signal, stop]);
  try {
    const context = { switchyard, viewer, signal: patience.signal };
    const { turns } = switchyard;
    const response = await turns.take(async () => yoga.fetch(url, { method, headers, body }, context), patience.signal);
    return {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), ...FOR_NOBODY_ELSE },
      body: await response.text(),
    };
  } finally {
    patience.end();
  }
}

/**
 * A signal for when one of others says so, such as that the client went away, or it has taken for long enough, until the end only:
 * what `AbortSignal.timeout` makes would go off ten seconds after each answer all the same.
 */
function startPatience(others: readonly (AbortSignal | undefined)[]): { readonly signal: AbortSignal; end(): void } {
  const ending = new AbortController();
  const stop = () => ending.abort();
  const tooLong = () => ending.abort(new DOMException('This took too long.', 'TimeoutError'));
  const timer = setTimeout(tooLong, LIMITS.timeoutMs);
  if (others.some((other) => other?.aborted)) stop();
  for (const other of others) other?.addEventListener('abort', stop, { once: true });
  return {
    signal: ending.signal,
    end() {
      clearTimeout(timer);
      for (const other of others) other?.removeEventListener('abort', stop);
    },
  };
}
