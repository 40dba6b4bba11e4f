import { complexityFromQuery } from '@pothos/plugin-complexity';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlContext } from './builder.ts';
import { LIMITS } from './limits.ts';
import { remember } from './remember.ts';

/** How many sets of variables are remembered of one document, and how long each may be as text. */
const [REMEMBERED_MAX, REMEMBERED_LENGTH_MAX] = [50, 1_000];

/** Tells with every answer what its question cost, and how much it might have: `extensions.cost`. */
export function tellCost(schema: GraphQLSchema): Plugin<GraphqlContext> {
  const known = new WeakMap<DocumentNode, Map<string, number>>();

  /** What a question costs follows from its text and its variables alone, and most are asked again and again. */
  function costOf(document: DocumentNode, variables: Readonly<Record<string, unknown>>, ctx: GraphqlContext): number {
    const ofDocument = known.get(document) ?? new Map<string, number>();
    known.set(document, ofDocument);
    const key = JSON.stringify(variables, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
    const before = ofDocument.get(key);
    if (before !== undefined) return before;
    const { complexity } = complexityFromQuery(document, { schema, ctx, variables });
    if (key.length <= REMEMBERED_LENGTH_MAX) remember(ofDocument, key, complexity, REMEMBERED_MAX);
    return complexity;
  }

  return {
    onExecute({ args: { document, variableValues, contextValue: ctx } }) {
      const complexity = costOf(document, { ...variableValues }, ctx);
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
