import { createRedactor } from '@switchyard/gateways/redaction';
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

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
