'use client';

import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { PageHead } from '#/components/page/page-head.tsx';
import { WithPanel } from '#/components/side-panel/side-panel.tsx';
import { Tabs } from '#/components/tabs/tabs.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { filterParsers, panelParser, type SettlementsChange } from '../filters.ts';
import { SettlementsSection } from './settlements-section.tsx';

const DiscrepanciesSection = dynamic(() =>
  import('./discrepancies/discrepancies-section.tsx').then((module) => module.DiscrepanciesSection),
);
const DiscrepancyPanel = dynamic(() => import('./discrepancies/discrepancy-panel.tsx').then((module) => module.DiscrepancyPanel));
const AccountsSection = dynamic(() => import('./accounts/accounts-section.tsx').then((module) => module.AccountsSection));

const VIEWS = [
  { value: 'settlements', label: 'Settlements' },
  { value: 'discrepancies', label: 'Discrepancies' },
  { value: 'accounts', label: 'Accounts' },
] as const;

/** The gateways' payouts, how much of them is explained, and what is open. The URL holds view, filters and the open discrepancy. */
export function SettlementsPage() {
  const [filters, setFilters] = useQueryStates(filterParsers);
  const [{ discrepancy }, setPanel] = useQueryStates(panelParser, { history: 'push' });
  const open = useCallback((discrepancyId: string) => void setPanel({ discrepancy: discrepancyId }), [setPanel]);
  const close = useCallback(() => void setPanel({ discrepancy: null }), [setPanel]);
  const scope = useScope();
  const change = (next: SettlementsChange) => void setFilters(next);
  return (
    <WithPanel
      label="Settlements"
      panel={
        filters.view === 'discrepancies' &&
        discrepancy !== null && (
          <DiscrepancyPanel key={discrepancy} discrepancyId={discrepancy} filters={filters} onOpen={open} onClose={close} />
        )
      }
    >
      <PageHead title="Settlements">
        <Link href={hrefIn(scope, '/settlements/bank')}>Bank</Link>
        <Link href={hrefIn(scope, '/settlements/files')}>Files</Link>
        <Link href={hrefIn(scope, '/settlements/rules')}>Ignore rules</Link>
      </PageHead>
      <Tabs
        label="View"
        tabs={VIEWS}
        value={filters.view}
        onChange={(view) => void setFilters({ view, sort: null }, { history: 'push' })}
      >
        {filters.view === 'settlements' && <SettlementsSection filters={filters} onChange={change} />}
        {filters.view === 'discrepancies' && (
          <DiscrepanciesSection filters={filters} openId={discrepancy} onChange={change} onOpen={open} />
        )}
        {filters.view === 'accounts' && <AccountsSection />}
      </Tabs>
    </WithPanel>
  );
}
