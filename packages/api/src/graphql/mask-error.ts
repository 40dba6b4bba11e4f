import { ForbiddenError } from '@pothos/plugin-scope-auth';
import { InputValidationError } from '@pothos/plugin-validation';
import { createRedactor } from '@switchyard/gateways/redaction';
import { GraphQLError } from 'graphql';
import { createGraphQLError, type Plugin } from 'graphql-yoga';
import type { Switchyard } from '../process.ts';
import { RETRY_LATER, whyUnavailable } from '../unavailable.ts';

/** Passes errors meant for the caller through; logs and hides all others. */
export function maskError(error: unknown, switchyard: Switchyard): GraphQLError {
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
export function withCode(error: GraphQLError, code: string): GraphQLError {
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
export const redactErrors: Plugin = {
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
