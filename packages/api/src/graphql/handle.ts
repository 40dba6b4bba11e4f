import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import { usePersistedOperations as persistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { complexityFromQuery } from '@pothos/plugin-complexity';
import { ForbiddenError } from '@pothos/plugin-scope-auth';
import { InputValidationError } from '@pothos/plugin-validation';
import { createRedactor } from '@switchyard/gateways/redaction';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { createGraphQLError, createYoga, type Plugin } from 'graphql-yoga';
import { readBody } from '../http/bodies.ts';
import { BODY_MAX_BYTES } from '../http/plain.ts';
import { GRAPHQL_PATH } from '../http/reporting-paths.ts';
import type { Switchyard } from '../process.ts';
import { RETRY_LATER, whyUnavailable } from '../unavailable.ts';
import { builder, type GraphqlContext, LIMITS, refuseTooCostly, tooCostly } from './builder.ts';
import { OPERATIONS } from './operations.ts';
import './queries/bank.ts';
import './queries/customer.ts';
import './queries/fees.ts';
import './queries/gateway-error-codes.ts';
import './queries/incidents.ts';
import './queries/lists.ts';
import './queries/month-close.ts';
import './queries/payments.ts';
import './queries/performance.ts';
import './queries/refund-approvals.ts';
import './queries/routing-earned.ts';
import './queries/settlement-discrepancies.ts';
import './queries/settlement.ts';
import './queries/settlements.ts';
import './queries/system.ts';
import './queries/volume.ts';
import { authenticateViewer } from './viewer.ts';

/** The whole schema. */
export const schema = builder.toSchema({ sortSchema: true });

/** Headers of every response: private to the caller, and JSON only. */
const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

/** A refused request, in the shape of a GraphQL response. */
function refusal(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ errors: [{ message, extensions: { code } }] }, { status, headers: { ...headers, ...PRIVATE_HEADERS } });
}

/** The error that GraphQL over HTTP requires for a request without a query. */
const NO_QUERY = {
  message: 'Must provide query string.',
  extensions: { code: 'BAD_REQUEST', http: { spec: true, status: 400 } },
};

/** The limit plugins set no error code. */
const refuse = (_context: unknown, error: GraphQLError): void => {
  tooCostly(error);
};

/** The message of GraphQL's own rule `MaxIntrospectionDepthRule`. */
const INTROSPECTION_TOO_DEEP = 'Maximum introspection depth exceeded';

/** Introspection has a depth of its own, which validation limits. */
const limitIntrospection: Plugin = {
  onValidate:
    () =>
    ({ result }) => {
      for (const error of result) if (error.message === INTROSPECTION_TOO_DEEP) tooCostly(error);
    },
};

/** Agents ask what the dashboard asks, so that each question is one whose cost is known. Before operations are looked up. */
const limitToTools: Plugin<object, GraphqlContext> = {
  onParams({ params, context }) {
    if (context.viewer.onlyTools && params.query) {
      throw new GraphQLError('This token lacks the scope reports: it asks what tools ask.', {
        extensions: { code: 'FORBIDDEN' },
      });
    }
  },
};

/** Executes an operation in a snapshot of the reports' database: what is shown together is of one moment. */
const readInSnapshot: Plugin<GraphqlContext> = {
  onExecute({ executeFn, setExecuteFn, args: { contextValue } }) {
    const { reports } = contextValue.switchyard.resources;
    setExecuteFn((args) =>
      reports.inSnapshot(async (snapshot) => executeFn({ ...args, contextValue: { ...args.contextValue, reports: snapshot } })),
    );
  },
};

function createServer(switchyard: Switchyard) {
  return createYoga<GraphqlContext>({
    schema,
    graphqlEndpoint: GRAPHQL_PATH,
    batching: false,
    multipart: false,
    // Request bodies are read here, with our own size limit.
    maxRequestBodySize: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    logging: false,
    parserAndValidationCache: true,
    maskedErrors: { maskError: (error) => maskError(error, switchyard) },
    plugins: [
      limitToTools,
      persistedOperations({
        getPersistedOperation: (hash) => OPERATIONS.get(hash) ?? null,
        allowArbitraryOperations: true,
        customErrors: { keyNotFound: NO_QUERY },
      }),
      maxTokensPlugin({ n: LIMITS.tokens, onReject: [refuse] }),
      maxAliasesPlugin({ n: LIMITS.aliases, onReject: [refuse] }),
      limitIntrospection,
      limitCost(schema),
      readInSnapshot,
      refuseTooCostly,
      redactErrors,
    ],
  });
}

const servers = new WeakMap<Switchyard, ReturnType<typeof createServer>>();

/**
 * Answers `/api/graphql` as GraphQL over HTTP, for a machine token or a signed-in staff user; other callers cannot read the schema.
 * A request is aborted after ten seconds, together with its database queries.
 */
export async function handleGraphql(switchyard: Switchyard, request: Request): Promise<Response> {
  try {
    const authenticated = await authenticateViewer(switchyard, request.headers);
    if (authenticated.kind === 'refused') {
      const { status, code, message, headers } = authenticated;
      return refusal(status, code, message, headers);
    }
    const body = await readQuery(request);
    if (body === null) return refusal(413, 'TOO_LARGE', 'The query is too large.');
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(LIMITS.timeoutMs)]);
    return await answer(switchyard, request, {
      body,
      context: { switchyard, viewer: authenticated.viewer, reports: switchyard.resources.reports, signal },
    });
  } catch (error) {
    const unavailable = whyUnavailable(error);
    if (unavailable !== null) return refusal(503, 'UNAVAILABLE', unavailable, RETRY_LATER);
    switchyard.log.error({ error }, 'a GraphQL request failed');
    return refusal(500, 'INTERNAL', 'Something went wrong on our side. It has been recorded.');
  }
}

/** The body of a POST; null when it is too long. When `Content-Length` is too large, the HTTP server discards the body. */
async function readQuery({ method, headers, body }: Request): Promise<Buffer | null> {
  if (method !== 'POST') return Buffer.alloc(0);
  return Number(headers.get('content-length')) > BODY_MAX_BYTES ? null : readBody(body, BODY_MAX_BYTES);
}

async function answer(
  switchyard: Switchyard,
  { method, url, headers }: Request,
  { body, context }: { readonly body: Buffer; readonly context: GraphqlContext },
): Promise<Response> {
  const yoga = servers.get(switchyard) ?? createServer(switchyard);
  servers.set(switchyard, yoga);
  const init = { method, headers, ...(method === 'POST' && { body: body.toString() }) };
  const response = await yoga.fetch(url, init, context);
  for (const [name, value] of Object.entries(PRIVATE_HEADERS)) response.headers.set(name, value);
  return response;
}

/** Refuses an operation that is too deep, too broad or too dear, and adds the cost and its limit to every answer, as `extensions.cost`. */
function limitCost(schema: GraphQLSchema): Plugin<GraphqlContext> {
  return {
    onExecute({ args: { document, operationName, variableValues, contextValue: ctx }, setResultAndStopExecution }) {
      const operation = getOperationAST(document, operationName);
      // A missing operation or an unsupported kind costs nothing: execution refuses it.
      if (!operation || !schema.getRootType(operation.operation)) return;
      const variables = { ...variableValues };
      const { complexity, depth, breadth } = complexityFromQuery(alone(operation, document), { schema, ctx, variables });
      const cost = { spent: complexity, limit: LIMITS.cost };
      const beyond = (
        [
          ['depth', depth, LIMITS.depth],
          ['breadth', breadth, LIMITS.breadth],
          ['complexity', complexity, LIMITS.cost],
        ] as const
      ).find(([, spent, max]) => spent > max);
      if (beyond !== undefined) {
        const [name, spent, max] = beyond;
        const error = tooCostly(new GraphQLError(`Query exceeds maximum ${name} (${name}: ${spent}, max: ${max})`));
        setResultAndStopExecution({ errors: [error], extensions: { cost } });
        return;
      }
      return {
        onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result) return;
          setResult({ ...result, extensions: { ...result.extensions, cost } });
        },
      };
    },
  };
}

/** The selected operation alone: with several in a document the cost plugin would count the first. */
function alone(operation: OperationDefinitionNode, document: DocumentNode): DocumentNode {
  return {
    ...document,
    definitions: [operation, ...document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)],
  };
}

/** Passes errors meant for the caller through; logs and hides all others. */
function maskError(error: unknown, switchyard: Switchyard): GraphQLError {
  const cause = isGraphqlError(error) ? (error.originalError ?? null) : error;
  if (isGraphqlError(error) && (cause === null || isGraphqlError(cause))) return withCode(error, 'BAD_USER_INPUT');
  if (cause instanceof ForbiddenError) return refused(error, cause.message, 'FORBIDDEN');
  if (cause instanceof InputValidationError) return refused(error, describe(cause), 'BAD_USER_INPUT');
  if (tookTooLong(cause)) return refused(error, 'The query timed out. Request less at once.', 'TIMEOUT');
  const unavailable = whyUnavailable(cause);
  if (unavailable !== null) return refused(error, unavailable, 'UNAVAILABLE', { status: 503, headers: RETRY_LATER });
  switchyard.log.error({ error: cause }, 'a GraphQL query failed');
  return refused(error, 'Something went wrong on our side. It has been recorded.', 'INTERNAL');
}

/** The error with a code; an existing code stays. */
function withCode(error: GraphQLError, code: string): GraphQLError {
  error.extensions.code ??= code;
  return error;
}

/** Compared by name: tools may load the library twice, as separate modules. */
function isGraphqlError(error: unknown): error is GraphQLError {
  return error instanceof Error && error.name === 'GraphQLError';
}

function describe({ issues }: InputValidationError): string {
  return issues.map(({ path, message }) => `${(path ?? []).map(String).join('.')} ${message}`.trim()).join('; ');
}

/** The errors of PostgreSQL and of the timer for an aborted query. */
function tookTooLong(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if (cause.name === 'TimeoutError' || cause.name === 'AbortError') return true;
  return ('code' in cause && cause.code === '57014') || /canceling statement/.test(cause.message);
}

/** `http` is what the response has for a status and headers, where it is not 200. */
function refused(
  error: unknown,
  message: string,
  code: string,
  http?: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
): GraphQLError {
  const { nodes, path } = isGraphqlError(error) ? error : {};
  return createGraphQLError(message, { nodes: nodes ?? null, path: path ?? null, extensions: { code, ...(http && { http }) } });
}

/**
 * Takes the caller's token and card numbers out of the messages of errors, in every media type. Messages of the library quote the query, in
 * which both may stand by mistake, and clients log them.
 */
const redactErrors: Plugin = {
  onResultProcess({ request, result, setResult }) {
    if (!('errors' in result) || result.errors === undefined) return;
    const token = request.headers.get('authorization')?.replace(/^\w+ +/, '') ?? '';
    const { text } = createRedactor([token]);
    setResult({ ...result, errors: result.errors.map((error) => withMessage(error, text(error.message))) });
  },
};

/** A copy: errors of validation are kept and answered to others who send the same. */
function withMessage(error: GraphQLError, message: string): GraphQLError {
  const { nodes = null, source = null, positions = null, path = null, originalError = null, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, originalError, extensions });
}
