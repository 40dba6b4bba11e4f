import { complexityFromQuery } from '@pothos/plugin-complexity';
import { type DocumentNode, type GraphQLSchema, getOperationAST, Kind, type OperationDefinitionNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlContext } from './builder.ts';
import { LIMITS } from './limits.ts';

/** Adds an operation's cost and its limit to every answer, as `extensions.cost`. */
export function reportCost(schema: GraphQLSchema): Plugin<GraphqlContext> {
  return {
    onExecute({ args: { document, operationName, variableValues, contextValue: ctx } }) {
      const operation = getOperationAST(document, operationName);
      // A missing operation or an unsupported kind costs nothing: execution refuses it.
      if (!operation || !schema.getRootType(operation.operation)) return;
      const variables = { ...variableValues };
      const { complexity } = complexityFromQuery(alone(operation, document), { schema, ctx, variables });
      return {
        onExecuteDone({ result, setResult }) {
          if (Symbol.asyncIterator in result) return;
          const cost = { spent: complexity, limit: LIMITS.cost };
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
