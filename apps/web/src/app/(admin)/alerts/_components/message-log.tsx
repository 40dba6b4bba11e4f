'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { parseAsStringLiteral, useQueryStates } from 'nuqs';
import { Badge } from '#/components/badge/badge.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { exactly } from '#/components/list/list-end.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { pagesEvery } from '#/components/list/noun-query.ts';
import { NounTable } from '#/components/list/noun-table.tsx';
import { StatusTabs } from '#/components/list/status-tabs.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { useNounList } from '#/components/list/use-noun-list.ts';
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
  const list = useNounList(
    trpc.alerts.messages.infiniteQueryOptions(
      { merchantId, zone: viewerZone(), state, newestFirst: tools.sort?.descending !== false, limit: 100 },
      pagesEvery(REFRESH_MS),
    ),
  );
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
      <NounTable
        label="Messages"
        name="alert-messages"
        list={list}
        tools={tools}
        columns={COLUMNS}
        rowKey={({ notificationId }) => notificationId}
        noun={['message', 'messages']}
        total={exactly(state === null ? sumOf(counts) : counts?.[state])}
        empty={
          state === null ? (
            <EmptyState title="No messages yet">
              Every message to a channel is listed here, with the reason if it was not sent.
            </EmptyState>
          ) : (
            <p className="py-6 text-ink-quiet text-sm">No messages in this state.</p>
          )
        }
      />
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
    look: 'strong',
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
  { id: 'why', header: 'Error', look: 'quiet', cell: ({ error }) => describeSendError(error) },
  {
    id: 'at',
    header: 'Time',
    sortable: 'descending',
    cell: ({ sentAt, createdAt }) => <Moment value={sentAt ?? createdAt} />,
  },
];
