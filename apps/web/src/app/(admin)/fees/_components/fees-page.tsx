'use client';

import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { PageHead } from '#/components/page/page-head.tsx';
import { WithPanel } from '#/components/side-panel/side-panel.tsx';
import { Tabs } from '#/components/tabs/tabs.tsx';
import { type FeesChange, filterParsers, panelParser } from '../filters.ts';
import { AuditSection } from './audit-section.tsx';

const FeePanel = dynamic(() => import('./fee-panel.tsx').then((module) => module.FeePanel));
const RatesSection = dynamic(() => import('./rates-section.tsx').then((module) => module.RatesSection));
const ContractsSection = dynamic(() => import('./contracts/contracts-section.tsx').then((module) => module.ContractsSection));

const VIEWS = [
  { value: 'audit', label: 'Audit' },
  { value: 'rates', label: 'Effective rates' },
  { value: 'contracts', label: 'Contracts' },
] as const;

/** Fees by contract beside those that gateways charge. The URL holds view, filters and the open payment. */
export function FeesPage() {
  const [filters, setFilters] = useQueryStates(filterParsers);
  const [{ payment }, setPanel] = useQueryStates(panelParser, { history: 'push' });
  const open = useCallback((paymentId: string) => void setPanel({ payment: paymentId }), [setPanel]);
  const close = useCallback(() => void setPanel({ payment: null }), [setPanel]);
  const change = (next: FeesChange) => void setFilters(next);
  return (
    <WithPanel
      label="Fees"
      panel={
        filters.view === 'audit' &&
        payment !== null && <FeePanel key={payment} paymentId={payment} filters={filters} onOpen={open} onClose={close} />
      }
    >
      <PageHead title="Fees" />
      <Tabs label="View" tabs={VIEWS} value={filters.view} onChange={(view) => void setFilters({ view }, { history: 'push' })}>
        {filters.view === 'audit' && <AuditSection filters={filters} openId={payment} onChange={change} onOpen={open} />}
        {filters.view === 'rates' && <RatesSection filters={filters} onChange={change} />}
        {filters.view === 'contracts' && <ContractsSection />}
      </Tabs>
    </WithPanel>
  );
}
