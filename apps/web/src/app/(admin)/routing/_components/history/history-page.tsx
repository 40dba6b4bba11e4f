'use client';

import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { historyParsers } from '#/app/(admin)/routing/address.ts';
import { Button } from '#/components/button/button.tsx';
import { PageFailed } from '#/components/page/page-failed.tsx';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { formatDecimal } from '#/format/amounts.ts';
import { describeDuration } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { RoutingSkeleton } from '../list/routing-skeleton.tsx';
import { usePeople, useRoutingScope } from '../queries/use-routing.ts';
import { counted, joined, shareText } from '../rules/copy.ts';
import { type Version, VersionView } from './version-view.tsx';

const PAGE = 30;

/** Published versions: when, by whom and why, with their results; the diff of any two, and rolling back. */
export function HistoryPage() {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const [chosen, setChosen] = useQueryStates(historyParsers, { history: 'push' });
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    trpc.routing.versions.list.infiniteQueryOptions(
      { ...scope, limit: PAGE },
      { getNextPageParam: (page) => page.next ?? undefined },
    ),
  );
  const versions = data?.pages.flatMap(({ items }) => items) ?? [];
  const results = useResults(data?.pages.map(({ items }) => items.map(({ version }) => version)) ?? []);
  const current = versions.find(({ state }) => state === 'PUBLISHED')?.version ?? 0;
  const shown = versions.find(({ version }) => version === chosen.version) ?? versions[0];
  return (
    <>
      <BackLink href={hrefIn(scope, '/routing')}>Rules</BackLink>
      <PageHead title="History of rules" />
      {data === undefined && !isError && <RoutingSkeleton />}
      {data === undefined && isError && <PageFailed code={undefined} onRetry={() => void refetch()} />}
      {data !== undefined && versions.length === 0 && (
        <p className="max-w-[70ch] text-ink-quiet">
          Nothing has been published in {scope.mode} mode yet. Every version is kept here with its author, reason and results, and
          you can roll back to it. <Link href={hrefIn(scope, '/routing')}>Create the first rules</Link>
        </p>
      )}
      {shown !== undefined && (
        <div className="grid grid-cols-1 gap-8 laptop:grid-cols-[340px_minmax(0,1fr)] laptop:gap-12 laptop:max-w-[1440px]">
          <section aria-label="Versions">
            <ol className="relative mb-3 before:absolute before:top-5 before:bottom-5 before:left-1.75 before:w-0.5 before:bg-line">
              {versions.map((version) => (
                <Entry
                  key={version.ruleSetId}
                  version={version}
                  results={results.get(version.version)}
                  isShown={version.version === shown.version}
                  isCompared={version.version === chosen.with}
                  onShow={() => void setChosen({ version: version.version, with: null })}
                />
              ))}
            </ol>
            {hasNextPage && (
              <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Earlier versions
              </Button>
            )}
          </section>
          <VersionView
            key={shown.version}
            version={shown}
            current={current}
            versions={versions}
            other={chosen.with}
            onOther={(other) => void setChosen({ version: shown.version, with: other })}
          />
        </div>
      )}
    </>
  );
}

/** Results of payments under each version, a page of versions at a time. */
function useResults(pages: readonly (readonly number[])[]): ReadonlyMap<number, VersionResults> {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  return useQueries({
    queries: pages
      .filter((versions) => versions.length > 0)
      .map((versions) =>
        trpc.routing.versions.results.queryOptions({ ...scope, versions: [...versions] }, { staleTime: 60_000 }),
      ),
    combine: (answers) => new Map(answers.flatMap(({ data }) => data ?? []).map((result) => [result.version, result])),
  });
}

function Entry({
  results,
  version: { version, state, publishedAt, publishedBy, endedAt, reason, restoredVersion, approvedBy, scheduledFor, editors },
  isShown,
  isCompared,
  onShow,
}: {
  version: Version;
  /** Undefined until they are known. */
  results: VersionResults | undefined;
  isShown: boolean;
  isCompared: boolean;
  onShow: () => void;
}) {
  const { nameOf } = usePeople();
  const helpers = editors.filter((editor) => editor !== publishedBy);
  const notes = [
    restoredVersion === null ? null : `rolled back to version ${restoredVersion}`,
    scheduledFor === null ? null : 'scheduled',
    approvedBy === null ? null : `approved by ${nameOf(approvedBy)}`,
    helpers.length === 0 ? null : `edited with ${joined(helpers.map(nameOf))}`,
    endedAt === null
      ? null
      : `${state === 'WITHDRAWN' ? 'tried' : 'active'} for ${describeDuration(endedAt.getTime() - publishedAt.getTime())}`,
  ].filter((note) => note !== null);
  return (
    <li className="relative pl-7">
      <i
        className={`absolute top-3.75 left-0.5 size-3 border-2 rounded-full ${state === 'PUBLISHED' ? 'border-accent bg-accent' : 'border-line-strong bg-ground'}`}
        aria-hidden="true"
      />
      <button
        type="button"
        className="grid gap-px w-full py-2.5 px-3 rounded-lg text-sm text-start hover:bg-ground-quiet aria-pressed:bg-accent-soft data-[compared=true]:shadow-[inset_0_0_0_1px_var(--accent)]"
        aria-pressed={isShown}
        data-compared={isCompared}
        onClick={onShow}
      >
        <span className="flex gap-2 items-baseline [&_b]:text-base [&_b]:font-semibold">
          <b>Version {version}</b>
          {state === 'PUBLISHED' && <span className="text-accent-ink text-xs font-medium">Active</span>}
          {state === 'CANARY' && <span className="text-accent-ink text-xs font-medium">For a share of customers</span>}
          {state === 'WITHDRAWN' && <span className="text-ink-faint text-xs font-medium">Was tried, not active</span>}
          {isCompared && <span className="text-accent-ink text-xs font-medium">Compared with</span>}
        </span>
        <span className="text-ink-quiet">
          <Moment value={publishedAt} /> by {nameOf(publishedBy)}
        </span>
        {reason !== null && reason !== '' && (
          <span className="wrap-anywhere before:content-['“'] after:content-['”']">{reason}</span>
        )}
        {results !== undefined &&
          describeResults(results).map((line) => (
            <span key={line} className="tabular-nums">
              {line}
            </span>
          ))}
        {notes.length > 0 && <span className="text-ink-quiet">{notes.join(' · ')}</span>}
      </button>
    </li>
  );
}

/** Results of payments while a version was active. */
type VersionResults = RouterOutputs['routing']['versions']['results'][number];

/** `4,201 payments · 87.2% succeeded · NGN 12,300.50 fees`; a currency each. No rate on fewer than 20 payments that ended. */
export function describeResults({ currencies }: Pick<VersionResults, 'currencies'>): string[] {
  if (currencies.length === 0) return ['No payments'];
  return currencies.map(({ currency, payments, paid, failed, fees }) => {
    const rate = shareText(paid, paid + failed);
    const parts = [
      counted(payments, 'payment'),
      rate === null ? `${paid.toLocaleString('en')} succeeded` : `${rate} succeeded`,
      `${currency}\u00a0${formatDecimal(currency, fees)}\u00a0fees`,
    ];
    return parts.join(' · ');
  });
}
