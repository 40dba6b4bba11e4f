'use client';

import { useNow } from '#/components/time/now.tsx';
import { useScope } from '#/scope/use-scope.ts';
import { type ExplorerFilters, toParameters } from '../filters.ts';
import { readyQuery } from '../ready-queries.ts';
import classes from './explorer-page.module.css';

/** GraphiQL with the query that was last shown. It is a page of its own, because its editor needs a content policy of its own. */
export function EditorTab({ filters }: { filters: ExplorerFilters }) {
  const scope = useScope();
  const text = readyQuery(filters.query).text(toParameters(scope, filters, useNow()));
  const query = new URLSearchParams({ mode: scope.mode, query: text });
  return <iframe className={classes.editor} title="GraphQL editor" src={`/developers/graphql/editor?${query}`} />;
}
