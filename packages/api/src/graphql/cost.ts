import { complexityFromQuery } from '@pothos/plugin-complexity';
import { type DocumentNode, type GraphQLSchema, getOperationAST, Kind, type OperationDefinitionNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { GraphqlContext } from './builder.ts';
import { LIMITS } from './limits.ts';
import { remember } from './remember.ts';

/** How many sets of variables are remembered of one operation, and how long each may be as text. */
const [REMEMBERED_MAX, REMEMBERED_LENGTH_MAX] = [50, 1_000];

/** Tells with every answer what its question cost, and how much it might have: `extensions.cost`. */
export function tellCost(schema: GraphQLSchema): Plugin<GraphqlContext> {
  const known = new WeakMap<OperationDefinitionNode, Map<string, number>>();

  /** What a question costs follows from its text and its variables alone, and most are asked again and again. */
  function costOf({ operation, document }: Asked, variables: Readonly<Record<string, unknown>>, ctx: GraphqlContext): number {
    const ofOperation = known.get(operation) ?? new Map<string, number>();
    known.set(operation, ofOperation);
    const key = JSON.stringify(variables, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
    const before = ofOperation.get(key);
    if (before !== undefined) return before;
    const { complexity } = complexityFromQuery(alone(operation, document), { schema, ctx, variables });
    if (key.length <= REMEMBERED_LENGTH_MAX) remember(ofOperation, key, complexity, REMEMBERED_MAX);
    return complexity;
  }

  return {
    onExecute({ args: { document, operationName, variableValues, contextValue: ctx } }) {
      const operation = getOperationAST(document, operationName);
      // What names no operation, or a kind that the schema has not, costs nothing: it is refused when it is executed.
      if (!operation || !schema.getRootType(operation.operation)) return;
      const complexity = costOf({ operation, document }, { ...variableValues }, ctx);
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

interface Asked {
  readonly operation: OperationDefinitionNode;
  readonly document: DocumentNode;
}

/** The operation without any others that the document has: of several the first one would be counted. */
function alone(operation: OperationDefinitionNode, document: DocumentNode): DocumentNode {
  return {
    ...document,
    definitions: [operation, ...document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)],
  };
}
