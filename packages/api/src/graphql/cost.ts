import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlContext } from './builder.ts';
import { LIMITS, tooCostly } from './limits.ts';

/** Refuses an operation that is too deep, too broad or too dear, and adds the cost and its limit to every answer, as `extensions.cost`. */
export function limitCost(schema: GraphQLSchema): Plugin<GraphqlContext> {
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
