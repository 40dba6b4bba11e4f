'use client';

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { Empty } from '../../../../components/empty/empty.tsx';
import { exactly } from '../../../../components/list/list-count.ts';
import { ListEnd } from '../../../../components/list/list-end.tsx';
import { ListTools } from '../../../../components/list/list-tools.tsx';
import { StatusTabs } from '../../../../components/list/status-tabs.tsx';
import { type ListDefinition, type ListState, useList } from '../../../../components/list/use-list.ts';
import { PageHead } from '../../../../components/page-head.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { Segments } from '../../../../components/segments/segments.tsx';
import { viewerZone } from '../../../../format/zone.ts';
import { hrefIn } from '../../../../scope/scope.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import classes from './alerts-page.module.css';
import { IncidentItem } from './incident-item.tsx';
import { MessageLog } from './message-log.tsx';
import { MutedKinds } from './muted-kinds.tsx';

type Incident = RouterOutputs['alerts']['open'][number];

const VIEWS = ['open', 'history', 'messages'] as const;
const viewParsers = { view: parseAsStringLiteral(VIEWS).withDefault('open'), incident: parseAsString };
const SEVERITIES = ['critical', 'warning'] as const;
const SEVERITY_LABELS = { critical: 'Critical', warning: 'Warning' } as const;
const severityParsers = { severity: parseAsStringLiteral(SEVERITIES) };
const REFRESH_MS = 10_000;
const HISTORY_PAGE = 50;

const OPEN_LIST: ListDefinition = {
  page: 'alerts',
  columns: [],
  orders: [
    { by: 'began', descending: true, title: 'Began' },
    { by: 'severity', descending: true, title: 'Severity' },
  ],
  notSaved: ['incident'],
};
/** Older incidents come page by page. */
const HISTORY_LIST: ListDefinition = {
  page: 'alert-history',
  columns: [],
  orders: [
    { by: 'began', descending: true, title: 'Began' },
    { by: 'ended', descending: true, title: 'Ended' },
    { by: 'lasted', descending: true, title: 'Duration' },
    { by: 'severity', descending: true, title: 'Severity' },
  ],
  notSaved: ['incident'],
};
const HISTORY_ORDERS = ['began', 'ended', 'lasted', 'severity'] as const;

/** What is wrong now and was before, and the messages that were sent about it. */
export function AlertsPage() {
  const scope = useScope();
  const [{ view, incident }, setView] = useQueryStates(viewParsers, { history: 'push' });
  return (
    <>
      <PageHead title="Alerts">
        <Segments
          label="Which alerts"
          choices={[
            { value: 'open', label: 'Open' },
            { value: 'history', label: 'History' },
            { value: 'messages', label: 'Messages' },
          ]}
          value={view}
          onChange={(value) => void setView({ view: value, incident: null })}
        />
        <Link href={hrefIn(scope, '/alerts/channels')} className={classes.link}>
          Channels
        </Link>
      </PageHead>
      {view === 'open' && <OpenIncidents linked={incident} />}
      {view === 'history' && <ClosedIncidents />}
      {view === 'messages' && <MessageLog />}
    </>
  );
}

function OpenIncidents({ linked }: { linked: string | null }) {
  const trpc = useTRPC();
  const scope = { ...useScope(), zone: viewerZone() };
  const { data, error } = useQuery(
    trpc.alerts.open.queryOptions(scope, { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData }),
  );
  const tools = useList(OPEN_LIST);
  const [{ severity }] = useQueryStates(severityParsers);
  const shown = data?.filter((incident) => severity === null || severityOf(incident) === severity) ?? [];
  const isListed = linked === null || data?.some(({ incidentId }) => incidentId === linked) === true;
  return (
    <>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      <MutedKinds />
      {!isListed && data !== undefined && <LinkedIncident incidentId={linked} />}
      {data === undefined && error === null && <div className={classes.waiting} role="status" aria-label="Loading alerts" />}
      {data?.length === 0 && (
        <Empty title="Nothing is wrong">
          When a gateway fails, a refund is stuck or a webhook endpoint is switched off, it is listed here and sent to the
          channels.
        </Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <>
          <div className={classes.bar}>
            <SeverityTabs incidents={data} />
            <ListTools list={tools} />
          </div>
          <ul className={classes.items}>
            {sorted(shown, tools.sort).map((incident) => (
              <IncidentItem key={incident.incidentId} incident={incident} isLinked={incident.incidentId === linked} />
            ))}
          </ul>
          <ListEnd loaded={shown.length} noun={['alert', 'alerts']} />
        </>
      )}
    </>
  );
}

/** Warnings and informational alerts count as one: both wait. */
function severityOf({ severity }: Incident): (typeof SEVERITIES)[number] {
  return severity === 'critical' ? 'critical' : 'warning';
}

function SeverityTabs({ incidents }: { incidents: readonly Incident[] }) {
  const [{ severity }, setFilter] = useQueryStates(severityParsers);
  return (
    <StatusTabs
      label="Severity"
      tabs={SEVERITIES.map((value) => ({
        value,
        label: SEVERITY_LABELS[value],
        count: exactly(incidents.filter((incident) => severityOf(incident) === value).length),
      }))}
      all={exactly(incidents.length)}
      chosen={severity === null ? [] : [severity]}
      onChange={(next) => void setFilter({ severity: next })}
    />
  );
}

function sorted(incidents: readonly Incident[], sort: ListState['sort']): readonly Incident[] {
  const { by, descending } = sort ?? { by: 'began', descending: true };
  const rankOf = (incident: Incident) =>
    by === 'severity' ? Number(severityOf(incident) === 'critical') : incident.since.getTime();
  return incidents.toSorted((left, right) => (descending ? rankOf(right) - rankOf(left) : rankOf(left) - rankOf(right)));
}

/** An order of the history as the server takes it. */
function historySort(sort: ListState['sort']) {
  const by = HISTORY_ORDERS.find((order) => order === sort?.by) ?? 'began';
  return { by, descending: sort?.descending !== false };
}

/** The incident that a message linked to, where it has ended meanwhile. */
function LinkedIncident({ incidentId }: { incidentId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.alerts.byId.queryOptions({ incidentId, zone: viewerZone() }, { retry: false }));
  if (data === undefined) return null;
  return (
    <ul className={classes.items}>
      <IncidentItem incident={data} isLinked />
    </ul>
  );
}

function ClosedIncidents() {
  const trpc = useTRPC();
  const inScope = useScope();
  const scope = { ...inScope, zone: viewerZone() };
  const tools = useList(HISTORY_LIST);
  const [{ severity }, setFilter] = useQueryStates(severityParsers);
  const { data: counts } = useQuery(trpc.alerts.historyCounts.queryOptions(inScope, { refetchInterval: 30_000 }));
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    trpc.alerts.history.infiniteQueryOptions(
      { ...scope, severity, sort: historySort(tools.sort), limit: HISTORY_PAGE },
      { getNextPageParam: (page) => page.next ?? undefined, refetchInterval: 30_000, placeholderData: keepPreviousData },
    ),
  );
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      {data === undefined && error === null && <div className={classes.waiting} role="status" aria-label="Loading alerts" />}
      {data !== undefined && (
        <div className={classes.bar}>
          <StatusTabs
            label="Severity"
            tabs={SEVERITIES.map((value) => ({ value, label: SEVERITY_LABELS[value], count: exactly(counts?.[value]) }))}
            all={exactly(counts && counts.critical + counts.warning)}
            chosen={severity === null ? [] : [severity]}
            onChange={(next) => void setFilter({ severity: next })}
          />
          <ListTools list={tools} />
        </div>
      )}
      {data !== undefined && rows.length === 0 && (
        <Empty title="No alert has ended yet">Ended alerts are listed here, with how long they lasted.</Empty>
      )}
      <ul className={classes.items}>
        {rows.map((incident) => (
          <IncidentItem key={incident.incidentId} incident={incident} isLinked={false} />
        ))}
      </ul>
      {rows.length > 0 && (
        <ListEnd
          loaded={rows.length}
          total={exactly(counts && (severity === null ? counts.critical + counts.warning : counts[severity]))}
          noun={['alert', 'alerts']}
          hasMore={hasNextPage}
          loadingMore={isFetchingNextPage}
          onMore={() => void fetchNextPage()}
        />
      )}
    </>
  );
}
