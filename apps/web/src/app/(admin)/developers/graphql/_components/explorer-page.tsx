'use client';

import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { PageHead } from '#/components/page/page-head.tsx';
import { Tabs } from '#/components/tabs/tabs.tsx';
import { explorerParsers } from '../filters.ts';
import { QueriesTab } from './queries-tab.tsx';

const EditorTab = dynamic(() => import('./editor-tab.tsx').then((module) => module.EditorTab));

const TABS = [
  { value: 'queries', label: 'Queries' },
  { value: 'editor', label: 'GraphQL editor' },
] as const;

/** Ready queries for finance with their results, and an editor for others. The URL holds the query and its parameters. */
export function ExplorerPage() {
  const [filters, setFilters] = useQueryStates(explorerParsers);
  return (
    <>
      <PageHead title="Finance explorer" />
      <Tabs label="Explorer" tabs={TABS} value={filters.tab} onChange={(tab) => void setFilters({ tab }, { history: 'push' })}>
        {filters.tab === 'editor' ? (
          <EditorTab filters={filters} />
        ) : (
          <QueriesTab filters={filters} onChange={(change) => void setFilters(change)} />
        )}
      </Tabs>
    </>
  );
}
