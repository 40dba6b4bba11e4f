'use client';

import { IconHandOff, IconHandStop } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '../../../../components/button.tsx';
import { Moment } from '../../../../components/moment.tsx';
import { PanelPart } from '../../../../components/side-panel/side-panel.tsx';
import { methodTitle } from '../../../../copy/gateways.ts';
import { describeActor, HEALTH_STATES, OVERRIDE_LABELS, whyOf } from '../../../../copy/health.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import { foldFeed } from './fold-feed.ts';
import classes from './happenings.module.css';
import { StateBadge } from './state-badge.tsx';
import { useNames } from './use-health.ts';

type FeedItem = RouterOutputs['health']['feed']['items'][number];

/** The feed of health changes and overrides, newest first. */
export function Feed({ accountId }: { accountId: string | null }) {
  const trpc = useTRPC();
  const scope = useScope();
  const feed = useInfiniteQuery(
    trpc.health.feed.infiniteQueryOptions(
      { ...scope, limit: 12, ...(accountId !== null && { accountId }) },
      { getNextPageParam: (page) => page.next ?? undefined },
    ),
  );
  const items = foldFeed(feed.data?.pages.flatMap((page) => page.items) ?? []);
  const names = useNames(items.map(({ actor }) => actor));
  const content = (
    <>
      {feed.isSuccess && items.length === 0 && (
        <p className={classes.none}>Nothing yet. Changes of health and overrides are listed here.</p>
      )}
      <ul className={classes.list}>
        {items.map((item) => (
          <li key={`${item.kind}|${item.eventId}`} className={classes.item}>
            <Mark item={item} />
            <div className={classes.detail}>
              <p className={classes.subject}>
                {item.accountLabel}, {item.method === null ? 'all methods' : methodTitle(item.method)}
                {scope.merchantId === null && <span className={classes.merchant}> {item.merchantName}</span>}
              </p>
              <p className={classes.reason}>{describeItem(item, names)}</p>
            </div>
            <p className={classes.time}>
              <Moment value={item.at} />
            </p>
          </li>
        ))}
      </ul>
      {feed.hasNextPage && (
        <Button onClick={() => void feed.fetchNextPage()} busy={feed.isFetchingNextPage}>
          Load more
        </Button>
      )}
    </>
  );
  if (accountId !== null) {
    return (
      <PanelPart title="What happened" label="Feed of this account">
        {content}
      </PanelPart>
    );
  }
  return (
    <section aria-label="Feed">
      <h2 className={classes.title}>What happened</h2>
      {content}
    </section>
  );
}

function Mark({ item }: { item: FeedItem }) {
  if (item.kind === 'health') {
    const state = HEALTH_STATES.find((known) => known === item.toState) ?? 'healthy';
    return <StateBadge state={state} />;
  }
  const Glyph = item.kind === 'override_set' ? IconHandStop : IconHandOff;
  return (
    <span className={classes.override}>
      <Glyph size={13} stroke={2} aria-hidden="true" />
      {item.kind === 'override_set' ? 'Override' : 'Override ended'}
    </span>
  );
}

function describeItem(item: FeedItem, names: ReadonlyMap<string, string>): string {
  if (item.kind === 'health') return whyOf(item);
  const past = item.action === null ? 'Changed' : OVERRIDE_LABELS[item.action].past;
  const by = describeActor(item.actor, names);
  if (item.kind === 'override_set') return `${past} by ${by}: ${whyOf(item)}`;
  return item.actor === 'system:expiry' ? `No longer ${past.toLowerCase()}: ${by}` : `No longer ${past.toLowerCase()}, by ${by}`;
}
