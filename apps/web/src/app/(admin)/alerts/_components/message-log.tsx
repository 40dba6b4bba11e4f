'use client';

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { parseAsStringLiteral, useQueryStates } from 'nuqs';
import { Badge } from '#/components/badge/badge.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { exactly, ListEnd } from '#/components/list/list-end.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { StatusTabs } from '#/components/list/status-tabs.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { usePages } from '#/components/list/use-pages.ts';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeSendError, EVENT_WORDS, STATE_TONES, STATE_WORDS } from '#/copy/alerts.ts';
import { viewerZone } from '#/format/zone.ts';
import { IncidentLink } from '#/incidents/incident-links.tsx';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

type MessageRow = RouterOutputs['alerts']['messages']['items'][number];

/** Messages by channel, sent and not sent, with the reason. */
export function MessageLog() {
  const trpc = useTRPC();
  const { merchantId } = useScope();
  const tools = useList(MESSAGE_LIST);
  const [{ state }, setFilter] = useQueryStates(stateParsers);
  const { data: counts } = useQuery(
    trpc.alerts.messageCounts.queryOptions({ merchantId }, { refetchInterval: REFRESH_MS, placeholderData: keepPreviousData }),
  );
  const list = usePages<MessageRow>(
    useInfiniteQuery(
      trpc.alerts.messages.infiniteQueryOptions(
        { merchantId, zone: viewerZone(), state, newestFirst: tools.sort?.descending !== false, limit: 100 },
        { getNextPageParam: (page) => page.next ?? undefined, refetchInterval: REFRESH_MS, placeholderData: keepPreviousData },
      ),
    ),
  );
  const { rows } = list;
  return (
    <>
      <div className="flex flex-wrap gap-x-4 gap-y-2 items-center">
        <StatusTabs
          label="Status"
          tabs={STATES.map((value) => ({ value, label: STATE_WORDS[value], count: exactly(counts?.[value]) }))}
          all={exactly(sumOf(counts))}
          chosen={state === null ? [] : [state]}
          onChange={(next) => void setFilter({ state: next })}
        />
        <ListTools list={tools} />
      </div>
      <Refusal message={list.state === 'failed' ? (list.error?.message ?? '') : null} />
      {list.state === 'loading' && (
        <div className="h-[160px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading messages" />
      )}
      {list.state === 'ready' && rows.length === 0 && state !== null && (
        <p className="py-6 text-ink-quiet text-sm">No messages in this state.</p>
      )}
      {list.state === 'ready' && rows.length === 0 && state === null && (
        <EmptyState title="No messages yet">
          Every message to a channel is listed here, with the reason if it was not sent.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <>
          <DataTable
            label="Messages"
            name="alert-messages"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ notificationId }) => notificationId}
            sort={tools.sort}
            onSort={tools.setSort}
          />
          <ListEnd
            loaded={rows.length}
            total={exactly(state === null ? sumOf(counts) : counts?.[state])}
            noun={['message', 'messages']}
            hasMore={list.hasMore}
            loadingMore={list.loadingMore}
            onMore={list.more}
          />
        </>
      )}
    </>
  );
}

const MESSAGE_LIST: ListDefinition = {
  page: 'alert-messages',
  orders: [{ by: 'at', descending: true, title: 'Time' }],
};

const REFRESH_MS = 10_000;
const STATES = ['SENT', 'PENDING', 'FAILED', 'SKIPPED'] as const satisfies readonly MessageRow['state'][];
const stateParsers = { state: parseAsStringLiteral(STATES) };

function sumOf(counts: RouterOutputs['alerts']['messageCounts'] | undefined): number | undefined {
  return counts && STATES.reduce((sum, state) => sum + counts[state], 0);
}

const COLUMNS: readonly DataColumn<MessageRow>[] = [
  {
    id: 'about',
    header: 'About',
    fixed: true,
    className: 'font-medium',
    cell: ({ title, incidentId }) => (
      <span title={title}>
        <IncidentLink incident={{ title, incidentId }} />
      </span>
    ),
  },
  { id: 'event', header: 'Event', cell: ({ event }) => EVENT_WORDS[event] },
  {
    id: 'channel',
    header: 'Channel',
    cell: ({ channelName }) => <span title={channelName}>{channelName}</span>,
  },
  {
    id: 'state',
    header: 'Status',
    cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{STATE_WORDS[state]}</Badge>,
  },
  { id: 'why', header: 'Error', className: 'text-ink-quiet', cell: ({ error }) => describeSendError(error) },
  {
    id: 'at',
    header: 'Time',
    sortable: 'descending',
    cell: ({ sentAt, createdAt }) => <Moment value={sentAt ?? createdAt} />,
  },
];
