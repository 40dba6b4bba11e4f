'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { DataSelection } from '#/components/data-table/data-table.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { exactly } from '#/components/list/list-end.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { pagesEvery } from '#/components/list/noun-query.ts';
import { StatusTabs } from '#/components/list/status-tabs.tsx';
import { type ListDefinition, type ListState, useList } from '#/components/list/use-list.ts';
import { useNounList, wholeList } from '#/components/list/use-noun-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Tabs } from '#/components/tabs/tabs.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeDayAndClock } from '#/format/moments.ts';
import { viewerZone } from '#/format/zone.ts';
import { failureText } from '#/forms/failure-text.ts';
import { SEVERITY_LABELS } from '#/incidents/incident-links.tsx';
import { type Finding, useAttention } from '#/incidents/use-attention.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
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
  const attention = useAttention(REFRESH_MS);
  const data = attention.data?.items;
  const tools = useList(OPEN_LIST);
  const [{ severity }] = useQueryStates(severityParsers);
  const { sort } = tools;
  const shown = useMemo(() => {
    const found = data?.filter((finding) => severity === null || finding.severity === severity);
    return found && sorted(found, sort);
  }, [data, severity, sort]);
  const { chosen, clear, table } = useChosenAlerts(shown ?? []);
  return (
    <>
      <MutedKinds />
      {data !== undefined && data.length > 0 && (
        <div className="flex flex-wrap gap-x-4 gap-y-2 items-center">
          <SeverityTabs findings={data} />
          <ListTools list={tools} />
        </div>
      )}
      <BulkAcknowledge chosen={chosen} onDone={clear} />
      <IncidentsTable
        label="Open alerts"
        name="alerts"
        list={wholeList(attention, shown)}
        tools={tools}
        selection={table}
        empty={
          <EmptyState title={data?.length === 0 ? 'Nothing needs attention' : 'No open alert of this severity'}>
            When a gateway fails, a refund is stuck or a webhook endpoint is disabled, it is listed here and sent to the channels.
          </EmptyState>
        }
      />
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
  const list = useNounList(
    trpc.alerts.history.infiniteQueryOptions(
      { ...scope, zone: viewerZone(), severity, sort: historySort(tools.sort), limit: HISTORY_PAGE },
      pagesEvery(30_000),
    ),
  );
  const all = exactly(counts && counts.critical + counts.warning);
  return (
    <>
      {list.state === 'ready' && (
        <div className="flex flex-wrap gap-x-4 gap-y-2 items-center">
          <StatusTabs
            label="Severity"
            tabs={ENDED_SEVERITIES.map((value) => ({
              value,
              label: SEVERITY_LABELS[value].word,
              count: exactly(counts?.[value]),
            }))}
            all={all}
            chosen={severity === null ? [] : [severity]}
            onChange={(next) => void setFilter({ severity: next })}
          />
          <ListTools list={tools} />
        </div>
      )}
      <IncidentsTable
        label="Ended alerts"
        name="alert-history"
        list={list}
        tools={tools}
        total={severity === null ? all : exactly(counts?.[severity])}
        empty={
          <EmptyState title={severity === null ? 'No alert has ended yet' : 'No alert of this severity has ended yet'}>
            Ended alerts are listed here, with how long they lasted.
          </EmptyState>
        }
      />
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

/** Open alerts that are chosen to be acknowledged at once: those of an incident which no person has acknowledged yet. */
function useChosenAlerts(rows: readonly Finding[]) {
  const can = useCan();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const isSelectable = ({ incidentId, acknowledgedAt, merchantId }: Finding) =>
    incidentId !== null && acknowledgedAt === null && can('alert:acknowledge', merchantId);
  const table: DataSelection<Finding> | undefined = rows.some(isSelectable)
    ? { selected: chosen, onChange: setChosen, nameOf: ({ title }) => title, isSelectable }
    : undefined;
  return { chosen: rows.filter((row) => chosen.has(row.key) && isSelectable(row)), clear: () => setChosen(new Set()), table };
}

/** Acknowledges the chosen alerts. */
function BulkAcknowledge({ chosen, onDone }: { chosen: readonly Finding[]; onDone: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const acknowledge = useMutation(trpc.alerts.acknowledge.mutationOptions());
  const [isPending, setPending] = useState(false);
  if (chosen.length === 0) return null;
  async function acknowledgeAll() {
    setPending(true);
    const outcomes = await Promise.allSettled(
      chosen.flatMap(({ incidentId, merchantId }) =>
        incidentId === null ? [] : [acknowledge.mutateAsync({ merchantId, incidentId })],
      ),
    );
    await Promise.all(
      [trpc.alerts, trpc.attention, trpc.incidents].map((read) => queries.invalidateQueries({ queryKey: read.pathKey() })),
    );
    setPending(false);
    onDone();
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    const done = outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
    if (done > 0) showToast({ text: done === 1 ? '1 alert is acknowledged.' : `${done} alerts are acknowledged.` });
    if (failed !== undefined) showToast({ text: failureText(failed.reason), tone: 'bad' });
  }
  return (
    <section className="flex flex-wrap items-center gap-2 min-h-10 mb-1 text-sm" aria-label="Bulk actions">
      <span className="mr-2 font-medium tabular-nums">{chosen.length} selected</span>
      <Button loading={isPending} onClick={() => void acknowledgeAll()}>
        Acknowledge {chosen.length === 1 ? '1 alert' : `${chosen.length} alerts`}
      </Button>
    </section>
  );
}
