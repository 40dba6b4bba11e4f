'use client';

import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Button } from '#/components/button/button.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { exactly, ListEnd } from '#/components/list/list-end.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { StatusTabs } from '#/components/list/status-tabs.tsx';
import { type ListDefinition, type ListState, useList } from '#/components/list/use-list.ts';
import { usePages } from '#/components/list/use-pages.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Tabs } from '#/components/tabs/tabs.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeDayAndClock } from '#/format/moments.ts';
import { viewerZone } from '#/format/zone.ts';
import { SEVERITY_LABELS } from '#/incidents/incident-links.tsx';
import { type Finding, useAttention } from '#/incidents/use-attention.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { BulkAcknowledge, useChosenAlerts } from './bulk-acknowledge.tsx';
import { IncidentsTable } from './incidents-table.tsx';
import { MessageLog } from './message-log.tsx';

/** The list of open incidents. */
const OPEN_LIST: ListDefinition = {
  page: 'alerts',
  orders: [
    { by: 'severity', descending: true },
    { by: 'began', descending: true, title: 'Started' },
  ],
};

/** The list of incidents that have ended: older ones come page by page. */
const CLOSED_LIST: ListDefinition = {
  page: 'alert-history',
  orders: [
    { by: 'began', descending: true, title: 'Started' },
    { by: 'ended', descending: true },
    { by: 'lasted', descending: true, title: 'Duration' },
    { by: 'severity', descending: true },
  ],
};

const VIEWS = ['open', 'history', 'messages'] as const;
const viewParsers = { view: parseAsStringLiteral(VIEWS).withDefault('open') };
const SEVERITIES = ['critical', 'warning', 'info'] as const;
/** Work that waits without a fault opens no alert that could end. */
const ENDED_SEVERITIES = ['critical', 'warning'] as const;
const severityParsers = { severity: parseAsStringLiteral(SEVERITIES) };
const REFRESH_MS = 10_000;
const HISTORY_PAGE = 50;

const HISTORY_ORDERS = ['began', 'ended', 'lasted', 'severity'] as const;

const VIEW_TABS = [
  { value: 'open', label: 'Open' },
  { value: 'history', label: 'History' },
  { value: 'messages', label: 'Messages' },
] as const;

/** Open and past incidents, and the messages that were sent about them. */
export function AlertsPage() {
  const scope = useScope();
  const [{ view }, setView] = useQueryStates(viewParsers, { history: 'push' });
  return (
    <>
      <PageHead title="Alerts">
        <Link href={hrefIn(scope, '/alerts/channels')} className="py-1.5 px-0.5 text-sm">
          Channels
        </Link>
      </PageHead>
      <Tabs label="Which alerts" tabs={VIEW_TABS} value={view} onChange={(value) => void setView({ view: value })}>
        {view === 'open' && <OpenIncidents />}
        {view === 'history' && <ClosedIncidents />}
        {view === 'messages' && <MessageLog />}
      </Tabs>
    </>
  );
}

function OpenIncidents() {
  const { data: attention, error } = useAttention(REFRESH_MS);
  const data = attention?.items;
  const tools = useList(OPEN_LIST);
  const [{ severity }] = useQueryStates(severityParsers);
  const sort = tools.sort;
  const shown = useMemo(() => {
    const found = data?.filter((finding) => severity === null || finding.severity === severity) ?? [];
    return sorted(found, sort);
  }, [data, severity, sort]);
  const { chosen, clear, table } = useChosenAlerts(shown);
  return (
    <>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      <MutedKinds />
      {data === undefined && error === null && (
        <div className="h-[160px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading alerts" />
      )}
      {data?.length === 0 && (
        <EmptyState title="Nothing needs attention">
          When a gateway fails, a refund is stuck or a webhook endpoint is disabled, it is listed here and sent to the channels.
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <>
          <div className="flex flex-wrap gap-x-4 gap-y-2 items-center">
            <SeverityTabs findings={data} />
            <ListTools list={tools} />
          </div>
          <BulkAcknowledge chosen={chosen} onDone={clear} />
          <IncidentsTable label="Open alerts" name="alerts" rows={shown} sort={sort} onSort={tools.setSort} selection={table} />
          <ListEnd loaded={shown.length} noun={['alert', 'alerts']} />
        </>
      )}
    </>
  );
}

function SeverityTabs({ findings }: { findings: readonly Finding[] }) {
  const [{ severity }, setFilter] = useQueryStates(severityParsers);
  return (
    <StatusTabs
      label="Severity"
      tabs={SEVERITIES.map((value) => ({
        value,
        label: SEVERITY_LABELS[value].word,
        count: exactly(findings.filter((finding) => finding.severity === value).length),
      }))}
      all={exactly(findings.length)}
      chosen={severity === null ? [] : [severity]}
      onChange={(next) => void setFilter({ severity: next })}
    />
  );
}

function sorted(findings: readonly Finding[], sort: ListState['sort']): readonly Finding[] {
  // The server has the most urgent of each severity first.
  const { by, descending } = sort ?? { by: 'severity', descending: true };
  const rankOf = ({ severity, since }: Finding) => (by === 'severity' ? -SEVERITIES.indexOf(severity) : (since?.getTime() ?? 0));
  return findings.toSorted((left, right) => (descending ? rankOf(right) - rankOf(left) : rankOf(left) - rankOf(right)));
}

/** An order of the history as the server takes it. */
function historySort(sort: ListState['sort']) {
  const by = HISTORY_ORDERS.find((order) => order === sort?.by) ?? 'began';
  return { by, descending: sort?.descending !== false };
}

function ClosedIncidents() {
  const trpc = useTRPC();
  const scope = useScope();
  const tools = useList(CLOSED_LIST);
  const [{ severity: chosen }, setFilter] = useQueryStates(severityParsers);
  const severity = chosen === 'info' ? null : chosen;
  const { data: counts } = useQuery(trpc.alerts.historyCounts.queryOptions(scope, { refetchInterval: 30_000 }));
  const list = usePages<Finding>(
    useInfiniteQuery(
      trpc.alerts.history.infiniteQueryOptions(
        { ...scope, zone: viewerZone(), severity, sort: historySort(tools.sort), limit: HISTORY_PAGE },
        { getNextPageParam: (page) => page.next ?? undefined, refetchInterval: 30_000, placeholderData: keepPreviousData },
      ),
    ),
  );
  const { rows } = list;
  return (
    <>
      <Refusal message={list.state === 'failed' ? (list.error?.message ?? '') : null} />
      {list.state === 'loading' && (
        <div className="h-[160px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading alerts" />
      )}
      {list.state === 'ready' && (
        <div className="flex flex-wrap gap-x-4 gap-y-2 items-center">
          <StatusTabs
            label="Severity"
            tabs={ENDED_SEVERITIES.map((value) => ({
              value,
              label: SEVERITY_LABELS[value].word,
              count: exactly(counts?.[value]),
            }))}
            all={exactly(counts && counts.critical + counts.warning)}
            chosen={severity === null ? [] : [severity]}
            onChange={(next) => void setFilter({ severity: next })}
          />
          <ListTools list={tools} />
        </div>
      )}
      {list.state === 'ready' && rows.length === 0 && (
        <EmptyState title={severity === null ? 'No alert has ended yet' : 'No alert of this severity has ended yet'}>
          Ended alerts are listed here, with how long they lasted.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <IncidentsTable
          label="Ended alerts"
          name="alert-history"
          rows={rows}
          sort={tools.sort}
          onSort={tools.setSort}
          onNearEnd={list.more}
        />
      )}
      {rows.length > 0 && (
        <ListEnd
          loaded={rows.length}
          total={exactly(counts && (severity === null ? counts.critical + counts.warning : counts[severity]))}
          noun={['alert', 'alerts']}
          hasMore={list.hasMore}
          loadingMore={list.loadingMore}
          onMore={list.more}
        />
      )}
    </>
  );
}

/** The kinds of alerts that send no messages now. Renders nothing while there are none. */
function MutedKinds() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const can = useCan();
  const { merchantId } = useScope();
  const { data } = useQuery(trpc.alerts.muted.queryOptions({ merchantId }, { refetchInterval: 30_000 }));
  const muteKind = useMutation(
    trpc.alerts.muteKind.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.alerts.muted.queryKey() }),
      onError: ({ message }) => void showToast({ text: message, tone: 'bad' }),
    }),
  );
  return data?.map(({ kind, title, merchantId: of, mutedUntil }) => (
    <p key={`${of ?? ''} ${kind}`} className="flex gap-3 items-center mb-2 text-ink-quiet text-sm">
      {title}: no messages until <Moment value={mutedUntil} describe={describeDayAndClock} />.
      {can('alert:acknowledge', of) && (
        <Button
          loading={muteKind.isPending}
          onClick={() => muteKind.mutate({ merchantId: of, kind, hours: 0 })}
          aria-label={`Unmute ${title}`}
        >
          Unmute
        </Button>
      )}
    </p>
  ));
}
