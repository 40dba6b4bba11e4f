import { Children, isValidElement, type ReactNode } from 'react';
import { drawn } from '../search-index/search-entries.ts';

interface Found {
  readonly hrefs: readonly string[];
  readonly ids: readonly string[];
}

/** The addresses that elements link to, and the ids they have, tables included. */
export function hrefsOf(given: ReactNode): Found {
  const node = drawn(given);
  if (Array.isArray(node)) return joined(node.map(hrefsOf));
  if (!isValidElement<{ children?: ReactNode; rows?: readonly ReactNode[]; href?: string; id?: string }>(node)) {
    return { hrefs: [], ids: [] };
  }
  const { children, rows = [], href, id } = node.props;
  const own = { hrefs: href === undefined ? [] : [href], ids: id === undefined ? [] : [id] };
  return joined([own, ...rows.map(hrefsOf), ...Children.toArray(children).map(hrefsOf)]);
}

function joined(found: readonly Found[]): Found {
  return { hrefs: found.flatMap(({ hrefs }) => hrefs), ids: found.flatMap(({ ids }) => ids) };
}
