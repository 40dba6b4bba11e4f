import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** What an expression reads: each metric with the labels it selects by, and the labels it groups by. */
export interface Reads {
  readonly selectors: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  readonly grouping: readonly string[];
}

/** A counter or gauge by its labels: `rate` is its increase per second between two times. */
export type Sample = (selector: string, from: number, to: number) => number | null;

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

/** What an expression reads. */
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

/**
 * Evaluates the part of PromQL that the rules about error budgets use, for sums over everything: numbers, `sum(rate(…))`,
 * `sum(increase(…))`, `* / - > >= and`, and recorded expressions by their name. Null is an empty result. Throws on anything else.
 */
export function evaluate(expression: string, at: number, recorded: ReadonlyMap<string, string>, sample: Sample): number | null {
  return value(parsePromql(expression).firstChild);

  function value(node: SyntaxNode | null): number | null {
    if (node === null) throw new Error(`an empty expression: ${expression}`);
    const text = expression.slice(node.from, node.to);
    switch (node.name) {
      case 'NumberDurationLiteral':
        return Number(text);
      case 'ParenExpr':
        return value(node.firstChild?.nextSibling ?? node.firstChild);
      case 'VectorSelector': {
        const rule = recorded.get(text);
        if (rule === undefined) throw new Error(`not a recorded expression: ${text}`);
        return evaluate(rule, at, recorded, sample);
      }
      case 'AggregateExpr':
        return aggregated(node);
      case 'BinaryExpr':
        return binary(node);
      default:
        throw new Error(`not evaluated here: ${node.name} in ${expression}`);
    }
  }

  function aggregated(node: SyntaxNode): number | null {
    const text = expression.slice(node.from, node.to);
    const [, over, selector = '', window = ''] = /^sum\((rate|increase)\((.+)\[(\w+)\]\)\)$/.exec(text) ?? [];
    if (over === undefined) throw new Error(`not evaluated here: ${text}`);
    const seconds = secondsOf(window);
    const increase = sample(selector, at - seconds, at);
    if (increase === null) return null;
    return over === 'rate' ? increase / seconds : increase;
  }

  function binary(node: SyntaxNode): number | null {
    const [first, operator, second] = childrenOf(node);
    const left = value(first ?? null);
    const right = value(second ?? null);
    if (left === null || right === null) return null;
    switch (operator?.name) {
      case 'Mul':
        return left * right;
      case 'Div':
        return left / right;
      case 'Sub':
        return left - right;
      case 'Gtr':
        return left > right ? left : null;
      case 'Gte':
        return left >= right ? left : null;
      case 'And':
        return left;
      default:
        throw new Error(`not evaluated here: ${operator?.name} in ${expression}`);
    }
  }
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

const UNITS_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

function secondsOf(window: string): number {
  const unit = UNITS_S[window.slice(-1)];
  if (unit === undefined) throw new Error(`no window: ${window}`);
  return Number(window.slice(0, -1)) * unit;
}
