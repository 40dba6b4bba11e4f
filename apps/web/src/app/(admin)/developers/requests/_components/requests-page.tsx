'use client';

import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { Button } from '#/components/button/button.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterBar, FilterMenu, filterClass, filterValueClass, PeriodFilter } from '#/components/filter-bar/filter-bar.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { Command } from '#/components/first-payment/first-payment.tsx';
import { firstPayment } from '#/components/first-payment/first-payment-command.ts';
import { useNounList } from '#/components/list/use-noun-list.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { WithPanel } from '#/components/side-panel/side-panel.tsx';
import { Freshness } from '#/components/time/freshness.tsx';
import { OUTCOME_LABELS, REQUEST_OUTCOMES } from '#/copy/requests.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { filterParsers, isFiltered, NO_FILTERS, panelParser, type RequestFilters, requestsQuery } from '../filters.ts';
import { RequestsTable } from './requests-table.tsx';

const RequestPanel = dynamic(() => import('./request-panel.tsx').then((module) => module.RequestPanel));

/** Requests with API keys of the last days, for merchants' developers. */
export function RequestsPage({ publicUrl }: { publicUrl: string }) {
  const trpc = useTRPC();
  const scope = useScope();
  const [filters, setFilters] = useQueryStates(filterParsers);
  const [{ request }, setPanel] = useQueryStates(panelParser, { history: 'push' });
  const list = useNounList(requestsQuery(trpc, scope, filters));
  const note = searchedNote(list.first?.searched ?? null);
  const open = useCallback((id: string | null) => void setPanel({ request: id }), [setPanel]);
  const ids = list.rows.map(({ apiRequestId }) => apiRequestId);
  return (
    <WithPanel
      label="Requests"
      panel={request !== null && <RequestPanel key={request} id={request} ids={ids} onOpen={open} onClose={() => open(null)} />}
    >
      <BackLink href={hrefIn(scope, '/developers')}>Developers</BackLink>
      <PageHead title="Requests">
        <Freshness updatedAt={list.updatedAt} fetching={list.isFetching} onRefresh={list.refetch} />
      </PageHead>
      {list.state !== 'failed' && <RequestFilterBar filters={filters} onChange={(change) => void setFilters(change)} />}
      <RequestsTable
        list={list}
        note={note}
        openId={request}
        onOpen={open}
        empty={
          isFiltered(filters) ? (
            <EmptyState
              title="No requests match these filters"
              action={<Button onClick={() => void setFilters(NO_FILTERS)}>Clear the filters</Button>}
            >
              {note} Requests are kept for seven days unless the merchant has another setting. One without a valid key is not
              listed.
            </EmptyState>
          ) : (
            <>
              <EmptyState title={`No requests with ${scope.mode} keys yet`}>
                Every request with an API key is listed here for seven days; of one that was refused, with what was sent and
                answered. Run this in a terminal with one of the merchant’s {scope.mode} keys.
              </EmptyState>
              <div className="max-w-[640px]">
                <Command text={firstPayment(publicUrl, scope.mode)} label="A first request" />
              </div>
            </>
          )
        }
      />
    </WithPanel>
  );
}

/** Note about requests that the filters did not reach, after so many of each merchant; undefined where they reached all. */
function searchedNote(searched: number | null): string | undefined {
  if (searched === null) return undefined;
  return `Only the newest ${searched.toLocaleString('en')} requests of each merchant were searched: choose days for older ones.`;
}

const OUTCOMES = REQUEST_OUTCOMES.map((value) => ({ value, label: OUTCOME_LABELS[value] }));
const METHODS = ['GET', 'POST', 'HEAD'].map((value) => ({ value, label: value }));

/** The filters of requests. Keys are of the merchant that is chosen in the bar above. */
function RequestFilterBar({
  filters,
  onChange,
}: {
  filters: RequestFilters;
  onChange: (change: { [Name in keyof RequestFilters]?: RequestFilters[Name] | null }) => void;
}) {
  const trpc = useTRPC();
  const { merchantId, mode } = useScope();
  const of = { merchantId: merchantId ?? '', mode };
  const { data: keys } = useQuery(trpc.keys.list.queryOptions(of, { staleTime: 60_000, enabled: merchantId !== null }));
  const keyChoices = keys?.map(({ keyId, name, lastFour }) => ({ value: keyId, label: `${name} …${lastFour}` })) ?? [];
  const { outcome, method, key, q, payment, from, to } = filters;
  return (
    <FilterBar onClear={isFiltered(filters) ? () => onChange(NO_FILTERS) : null}>
      <SearchField
        label="Search by request id or path"
        placeholder="Request ID or path"
        value={q}
        onSearch={(text) => onChange({ q: text === '' ? null : text })}
      />
      <FilterMenu label="Status" value={outcome.map((one) => OUTCOME_LABELS[one]).join(', ')}>
        <CheckboxGroup
          label="Status"
          variant="menu"
          choices={OUTCOMES}
          values={outcome}
          onChange={(next) => onChange({ outcome: next })}
        />
      </FilterMenu>
      <FilterMenu label="Method" value={method.join(', ')}>
        <CheckboxGroup
          label="Method"
          variant="menu"
          choices={METHODS}
          values={method}
          onChange={(next) => onChange({ method: next })}
        />
      </FilterMenu>
      {keyChoices.length > 0 && (
        <FilterMenu label="Key" value={keyChoices.flatMap(({ value, label }) => (key.includes(value) ? label : [])).join(', ')}>
          <CheckboxGroup
            label="Key"
            variant="menu"
            choices={keyChoices}
            values={key}
            onChange={(next) => onChange({ key: next })}
          />
        </FilterMenu>
      )}
      <FilterMenu width={280} label="Time" value={describePeriod(from, to)}>
        <PeriodFilter from={from} to={to} onChange={onChange} />
      </FilterMenu>
      {payment !== '' && (
        <button type="button" className={filterClass} data-set="true" onClick={() => onChange({ payment: null })}>
          <span className={filterValueClass}>First 10 minutes of payment …{payment.slice(-6)}</span>
          <IconX size={14} stroke={1.7} aria-label="Remove this filter" />
        </button>
      )}
    </FilterBar>
  );
}
