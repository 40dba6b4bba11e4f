'use client';

import { IconClock, IconHandOff, IconHandStop } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { StateBadge } from '#/components/badge/state-badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { PanelPart } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { describeActor, HEALTH_STATES, healthReasonText, OVERRIDE_LABELS } from '#/copy/health.ts';
import { dayAndClockOf } from '#/format/moments.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useNames } from '../use-health.ts';

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
        <p className="py-3 text-ink-faint text-sm">No activity yet. Changes of health and overrides are listed here.</p>
      )}
      <ul className="border-t border-line [&+button]:mt-3">
        {items.map((item) => (
          <li
            key={`${item.kind}|${item.eventId}`}
            className="grid grid-cols-[112px_minmax(0,1fr)_auto] gap-x-3 gap-y-1 py-2.5 pl-1.5 border-b border-line text-sm [&>:first-child]:justify-self-start max-phone:grid-cols-[minmax(0,1fr)_auto]"
          >
            <ItemBadge item={item} />
            <div className="min-w-0 max-phone:col-span-full max-phone:row-2">
              <p className="font-medium">
                {item.accountId === null ? `${item.gatewayTitle} for all merchants` : item.accountLabel},{' '}
                {item.method === null ? 'all methods' : methodTitle(item.method)}
                {scope.merchantId === null && <span className="text-ink-faint font-normal"> {item.merchantName}</span>}
              </p>
              <p className="text-ink-quiet wrap-anywhere">{describeItem(item, names)}</p>
            </div>
            <p className="text-ink-faint text-xs tabular-nums text-right whitespace-nowrap">
              <Moment value={item.at} />
            </p>
          </li>
        ))}
      </ul>
      {feed.hasNextPage && (
        <Button onClick={() => void feed.fetchNextPage()} loading={feed.isFetchingNextPage}>
          Load more
        </Button>
      )}
    </>
  );
  if (accountId !== null) {
    return (
      <PanelPart title="Activity" label="Feed of this account">
        {content}
      </PanelPart>
    );
  }
  return (
    <section aria-label="Feed">
      <h2 className="mb-2 text-base font-semibold">Activity</h2>
      {content}
    </section>
  );
}

function ItemBadge({ item }: { item: FeedItem }) {
  if (item.kind === 'health') {
    const state = HEALTH_STATES.find((known) => known === item.toState) ?? 'healthy';
    return <StateBadge state={state} why={item.why} />;
  }
  const { word, Glyph } = overrideMark(item.kind, item.startsAt);
  return (
    <span className="inline-flex items-center gap-1.25 h-5.5 -ml-1.5 px-1.5 text-ink-quiet text-xs font-medium">
      <Glyph size={13} stroke={2} aria-hidden="true" />
      {word}
    </span>
  );
}

function overrideMark(kind: Exclude<FeedItem['kind'], 'health'>, startsAt: Date | null) {
  switch (kind) {
    case 'override_set':
      return startsAt === null ? { word: 'Override', Glyph: IconHandStop } : { word: 'Planned', Glyph: IconClock };
    case 'override_began':
      return { word: 'Override', Glyph: IconHandStop };
    case 'override_ended':
      return { word: 'Override ended', Glyph: IconHandOff };
    default:
      return kind satisfies never;
  }
}

function describeItem(item: FeedItem, names: ReadonlyMap<string, string>): string {
  if (item.kind === 'health') return healthReasonText(item);
  const past = item.action === null ? 'Changed' : OVERRIDE_LABELS[item.action].past;
  const by = describeActor(item.actor, names);
  if (item.kind === 'override_set' && item.startsAt !== null) {
    return `${past} from ${dayAndClockOf(item.startsAt)}, planned by ${by}: ${item.reason}`;
  }
  if (item.kind === 'override_set') return `${past} by ${by}: ${item.reason}`;
  if (item.kind === 'override_began') return `${past} as planned by ${by}: ${item.reason}`;
  if (item.startsAt !== null && item.startsAt > item.at) return `Planned override cancelled by ${by}`;
  return item.actor === 'system:expiry' ? `No longer ${past.toLowerCase()}: ${by}` : `No longer ${past.toLowerCase()}, by ${by}`;
}

/** A change of health or an override, as far as folding is concerned. */
interface FeedEntry {
  readonly kind: string;
  /** Null for all accounts of a gateway. */
  readonly accountId: string | null;
  /** Null for all methods together. */
  readonly method: string | null;
  readonly toState: string | null;
  readonly at: Date;
}

const GROUPED_WITHIN_MS = 10_000;

/** Leaves out a change of all methods together where one of the account's methods made the same change at the same time. */
export function foldFeed<Entry extends FeedEntry>(entries: readonly Entry[]): Entry[] {
  return entries.filter(
    (entry) => entry.kind !== 'health' || entry.method !== null || !entries.some((other) => isSame(other, entry)),
  );
}

function isSame(other: FeedEntry, whole: FeedEntry): boolean {
  return (
    other.kind === 'health' &&
    other.method !== null &&
    other.accountId === whole.accountId &&
    other.toState === whole.toState &&
    Math.abs(other.at.getTime() - whole.at.getTime()) < GROUPED_WITHIN_MS
  );
}
