import { complexityFromQuery } from '@pothos/plugin-complexity';
import { type DocumentNode, type GraphQLSchema, getOperationAST, Kind, type OperationDefinitionNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlContext } from './builder.ts';
import { LIMITS } from './limits.ts';

/** Adds to every answer what its operation cost, and how much it might have: `extensions.cost`. */
export function reportCost(schema: GraphQLSchema): Plugin<GraphqlContext> {
  return {
    onExecute({ args: { document, operationName, variableValues, contextValue: ctx } }) {
      const operation = getOperationAST(document, operationName);
      // What names no operation, or a kind that the schema has not, costs nothing: it is refused when it is executed.
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

/** The operation without any others that the document has: of several the first one would be counted. */
function alone(operation: OperationDefinitionNode, document: DocumentNode): DocumentNode {
  return {
    ...document,
    definitions: [operation, ...document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)],
  };
}
