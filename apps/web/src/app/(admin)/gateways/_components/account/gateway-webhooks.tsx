'use client';

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import {
  gatewaysParsers,
  toWebhookFilter,
  toWebhooksInput,
  WEBHOOK_ORDERS,
  WEBHOOK_STATES,
} from '#/app/(admin)/gateways/address.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { FilterMenu, PeriodFilter } from '#/components/filter-bar/filter-bar.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { ListEnd } from '#/components/list/list-end.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { StatusTabs } from '#/components/list/status-tabs.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { Refusal } from '#/components/page/refusal.tsx';
import { PanelPart } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { deliveryLabel, describeRefusal } from '../copy.ts';

const HOUR_MS = 3_600_000;
const HOURS = 48;
const REFRESH_MS = 15_000;

/** A view names its account: the list is beside it. */
const WEBHOOK_LIST: ListDefinition = { page: 'gateway-webhooks', isCards: true, orders: WEBHOOK_ORDERS, notSaved: ['do'] };

/** Webhooks received from the gateway: the time of the last genuine one, refused ones by reason, and the latest stored ones. */
export function GatewayWebhooks({ accountId, gateway }: { accountId: string; gateway: string }) {
  const trpc = useTRPC();
  const [filters, setFilters] = useQueryStates(gatewaysParsers);
  const tools = useList(WEBHOOK_LIST);
  const { data, isError, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    trpc.gateways.webhooks.infiniteQueryOptions(toWebhooksInput(accountId, filters), {
      getNextPageParam: (page) => page.next ?? undefined,
      refetchInterval: REFRESH_MS,
      placeholderData: keepPreviousData,
    }),
  );
  const { data: counts } = useQuery(
    trpc.gateways.webhookCounts.queryOptions(toWebhookFilter(accountId, filters), {
      refetchInterval: REFRESH_MS,
      placeholderData: keepPreviousData,
    }),
  );
  const first = data?.pages[0];
  const rows = data?.pages.flatMap((page) => page.webhooks) ?? [];
  const { webhooks: state, from, to } = filters;
  const isEmpty = first?.lastGenuineAt === null;
  return (
    <PanelPart title="Webhooks received" label="Webhook deliveries" action={!isEmpty && <ListTools list={tools} />}>
      <Refusal message={isError ? error.message : null} />
      {first !== undefined && (
        <>
          <p className="text-sm">
            {first.lastGenuineAt === null ? (
              `No genuine webhook received yet. Until the address is entered at ${gatewayTitle(gateway)}, payments are verified by polling.`
            ) : (
              <>
                Last genuine webhook <Moment value={first.lastGenuineAt} />.
              </>
            )}
          </p>
          <Refused refused={first.refused} />
        </>
      )}
      {!isEmpty && (
        <div className="flex flex-wrap gap-x-4 gap-y-2 items-center justify-between mt-2">
          <StatusTabs
            label="Status"
            tabs={WEBHOOK_STATES.map((value) => ({
              value,
              label: deliveryLabel(value).word,
              count: counts?.byState[value],
            }))}
            all={counts?.all}
            chosen={state === null ? [] : [state]}
            onChange={(webhooks) => void setFilters({ webhooks })}
          />
          <FilterMenu label="Received" value={describePeriod(from, to)}>
            <PeriodFilter from={from} to={to} onChange={(period) => void setFilters(period)} />
          </FilterMenu>
        </div>
      )}
      {!isEmpty && data !== undefined && rows.length === 0 && (
        <p className="text-ink-faint text-xs">No webhooks match these filters.</p>
      )}
      {rows.length > 0 && (
        <ul className="border-t border-line" aria-label="Stored webhooks">
          {rows.map(({ id, event, reference, state, deliveries, receivedAt }) => {
            const { word, tone } = deliveryLabel(state);
            return (
              <li
                key={id}
                className="grid grid-cols-[118px_minmax(0,1fr)_minmax(0,1.2fr)_88px] items-center gap-3 min-h-9 pl-1.5 border-b border-line text-sm max-phone:grid-cols-[auto_minmax(0,1fr)_auto] max-phone:py-1.5"
              >
                <span className="justify-self-start">
                  <Badge tone={tone}>{word}</Badge>
                </span>
                <span className="min-w-0 truncate">
                  {event}
                  {deliveries > 1 && <span className="text-ink-faint text-xs tabular-nums"> sent {deliveries} times</span>}
                </span>
                <span className="min-w-0 truncate max-phone:col-span-full max-phone:row-2">
                  {reference === null ? '' : <Copyable text={reference} label="reference" />}
                </span>
                <span className="text-ink-faint text-xs text-right whitespace-nowrap">
                  <Moment value={receivedAt} />
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {rows.length > 0 && (
        <ListEnd
          loaded={rows.length}
          total={state === null ? counts?.all : counts?.byState[state]}
          noun={['webhook', 'webhooks']}
          hasMore={hasNextPage}
          loadingMore={isFetchingNextPage}
          onMore={() => void fetchNextPage()}
        />
      )}
    </PanelPart>
  );
}

/** Refused webhooks by hour, the reasons one by one. */
function Refused({ refused }: { refused: readonly { readonly why: string; readonly hourAt: Date; readonly count: number }[] }) {
  const now = useNow();
  if (refused.length === 0) return <p className="text-ink-faint text-xs">None refused in the last seven days.</p>;
  const thisHour = Math.floor(now / HOUR_MS);
  const reasons = [...Map.groupBy(refused, ({ why }) => why)];
  return (
    <div className="[&_ul]:mt-1">
      <p className="text-ink-faint text-xs">Refused in the last seven days; by hour for the last two</p>
      <ul>
        {reasons.map(([why, counts]) => {
          const total = counts.reduce((sum, { count }) => sum + count, 0);
          const hours = Array.from({ length: HOURS }, (_, index) => {
            const hour = thisHour - HOURS + 1 + index;
            return counts.find(({ hourAt }) => Math.floor(hourAt.getTime() / HOUR_MS) === hour)?.count ?? 0;
          });
          const max = Math.max(...hours, 1);
          const latest = counts[0]?.hourAt;
          return (
            <li
              key={why}
              className="grid grid-cols-[130px_minmax(0,1fr)_48px_76px] items-center gap-3 min-h-8 text-sm max-phone:grid-cols-[minmax(0,1fr)_80px_40px]"
            >
              <span>{describeRefusal(why)}</span>
              <svg
                className="w-full h-5 [&_rect]:fill-bad"
                viewBox={`0 0 ${HOURS} 20`}
                preserveAspectRatio="none"
                role="img"
                aria-label={`${hours.reduce((sum, count) => sum + count, 0)} in the last ${HOURS} hours`}
              >
                <path d={`M0 19.5H${HOURS}`} className="stroke-line" vectorEffect="non-scaling-stroke" />
                {hours.map((count, index) =>
                  count === 0 ? null : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: hours are never reordered.
                    <rect key={index} x={index + 0.1} width={0.8} y={19 - (count / max) * 17} height={(count / max) * 17 + 1} />
                  ),
                )}
              </svg>
              <span className="text-right tabular-nums">{total.toLocaleString('en')}</span>
              <span className="text-ink-faint text-xs whitespace-nowrap max-phone:hidden">
                {latest !== undefined && <Moment value={latest} />}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
