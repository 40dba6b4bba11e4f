'use client';

import { useNow } from '#/components/time/now.tsx';
import { useScope } from '#/scope/use-scope.ts';
import { type ExplorerFilters, toParameters } from '../filters.ts';
import { readyQuery } from '../ready-queries.ts';

/** GraphiQL with the query that was last shown. It is a page of its own, because its editor needs a content policy of its own. */
export function EditorTab({ filters }: { filters: ExplorerFilters }) {
  const scope = useScope();
  const text = readyQuery(filters.query).text(toParameters(scope, filters, useNow()));
  const query = new URLSearchParams({ mode: scope.mode, query: text });
  return (
    <iframe
      className="block w-full h-[calc(100vh_-_220px)] min-h-[480px] border border-line rounded-xl bg-ground"
      title="GraphQL editor"
      src={`/developers/graphql/editor?${query}`}
    />
  );
}
