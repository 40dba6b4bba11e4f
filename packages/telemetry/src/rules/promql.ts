import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** Metrics that an expression reads, each with the labels it selects by, and the labels it groups by. */
export interface Reads {
  readonly selectors: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  readonly grouping: readonly string[];
}

const parsed = new Map<string, SyntaxNode>();

/** Parses an expression of PromQL. Throws where it does not follow the grammar. */
export function parsePromql(expression: string): SyntaxNode {
  const known = parsed.get(expression) ?? parse(expression);
  parsed.set(expression, known);
  return known;
}

function parse(expression: string): SyntaxNode {
  const tree = parser.parse(expression);
  tree.iterate({
    enter({ type, from }) {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${expression}`);
    },
  });
  return tree.topNode;
}

/** Metrics and labels that an expression reads. */
export function readsOf(expression: string): Reads {
  const selectors: { metric: string; labels: string[] }[] = [];
  const grouping: string[] = [];
  parsePromql(expression)
    .cursor()
    .iterate(({ node }) => {
      const text = expression.slice(node.from, node.to);
      if (node.name === 'VectorSelector') selectors.push({ metric: metricOf(node, expression), labels: [] });
      if (node.name !== 'LabelName') return;
      if (node.parent?.name === 'GroupingLabels') grouping.push(text);
      else selectors.at(-1)?.labels.push(text);
    });
  return { selectors, grouping };
}

function metricOf(selector: SyntaxNode, expression: string): string {
  const name = selector.getChild('Identifier');
  if (name === null) throw new Error(`a selector without a name: ${expression}`);
  return expression.slice(name.from, name.to);
}
