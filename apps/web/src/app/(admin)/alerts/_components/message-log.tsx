'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Badge } from '../../../../components/badge.tsx';
import { type DataColumn, DataTable } from '../../../../components/data-table/data-table.tsx';
import { Empty } from '../../../../components/empty/empty.tsx';
import { pickColumns } from '../../../../components/list/list-columns.ts';
import { ListEnd } from '../../../../components/list/list-end.tsx';
import { ListTools } from '../../../../components/list/list-tools.tsx';
import { type ListDefinition, useList } from '../../../../components/list/use-list.ts';
import { Moment } from '../../../../components/moment.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { EVENT_WORDS, STATE_TONES, STATE_WORDS, whyNotSent } from '../../../../copy/alerts.ts';
import { viewerZone } from '../../../../format/zone.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import classes from './message-log.module.css';

type MessageRow = RouterOutputs['alerts']['messages']['items'][number];

/** What was sent to which channel, what was not, and why. */
export function MessageLog() {
  const trpc = useTRPC();
  const { merchantId } = useScope();
  const tools = useList(MESSAGE_LIST);
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    trpc.alerts.messages.infiniteQueryOptions(
      { merchantId, zone: viewerZone(), limit: 100 },
      {
        getNextPageParam: (page) => page.next ?? undefined,
        refetchInterval: 10_000,
        placeholderData: keepPreviousData,
      },
    ),
  );
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  return (
    <>
      <div className={classes.tools}>
        <ListTools list={tools} />
      </div>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      {data === undefined && error === null && <div className={classes.waiting} role="status" aria-label="Loading messages" />}
      {data !== undefined && rows.length === 0 && (
        <Empty title="No messages yet">Every message to a channel is listed here, with the reason if it was not sent.</Empty>
      )}
      {rows.length > 0 && (
        <>
          <DataTable
            label="Messages"
            columns={pickColumns(COLUMNS, tools.shown)}
            rows={rows}
            rowKey={({ notificationId }) => notificationId}
          />
          <ListEnd
            loaded={rows.length}
            noun={['message', 'messages']}
            hasMore={hasNextPage}
            loadingMore={isFetchingNextPage}
            onMore={() => void fetchNextPage()}
          />
        </>
      )}
    </>
  );
}

const MESSAGE_LIST: ListDefinition = {
  page: 'alert-messages',
  columns: [
    { id: 'about', title: 'About', fixed: true },
    { id: 'event', title: 'Event' },
    { id: 'channel', title: 'Channel' },
    { id: 'state', title: 'State' },
    { id: 'why', title: 'Error' },
    { id: 'at', title: 'When' },
  ],
  notSaved: ['incident'],
};

const COLUMNS: readonly DataColumn<MessageRow>[] = [
  { id: 'about', header: 'About', className: classes.about, cell: ({ title }) => <span title={title}>{title}</span> },
  { id: 'event', header: 'Event', className: classes.event, cell: ({ event }) => EVENT_WORDS[event] },
  {
    id: 'channel',
    header: 'Channel',
    className: classes.channel,
    cell: ({ channelName }) => <span title={channelName}>{channelName}</span>,
  },
  {
    id: 'state',
    header: 'State',
    className: classes.state,
    cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{STATE_WORDS[state]}</Badge>,
  },
  { id: 'why', header: 'Error', className: classes.why, cell: ({ error }) => whyNotSent(error) },
  { id: 'at', header: 'When', className: classes.at, cell: ({ sentAt, createdAt }) => <Moment value={sentAt ?? createdAt} /> },
];
