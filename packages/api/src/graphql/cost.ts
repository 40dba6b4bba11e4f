import { complexityFromQuery } from '@pothos/plugin-complexity';
import type { GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlContext } from './builder.ts';
import { LIMITS } from './limits.ts';

/** Tells with every answer what its question cost, and how much it might have: `extensions.cost`. */
export function tellCost(schema: GraphQLSchema): Plugin<GraphqlContext> {
  return {
    onExecute({ args: { document, variableValues, contextValue: ctx } }) {
      const { complexity } = complexityFromQuery(document, { schema, ctx, variables: { ...variableValues } });
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
