'use client';

import { IconCoins, IconDownload, IconHistory, IconPercentage, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { useEffect, useRef, useState } from 'react';
import { formatCellParam, rulesParsers } from '#/app/(admin)/routing/address.ts';
import { Button } from '#/components/button/button.tsx';
import { PageFailed } from '#/components/page/page-failed.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { RulesApproval } from '#/components/rules-approval/rules-approval.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { ApprovalRequests } from '../approval/approval-requests.tsx';
import { CanaryStrip } from '../canary/canary-page.tsx';
import type { Cell } from '../map/coverage.ts';
import { CoverageMap, MapScope, useMapScope } from '../map/coverage-map.tsx';
import { useCreateDraft, useExport } from '../queries/use-create-draft.ts';
import { useLive, useMerchantName, usePeople, useRoutingScope, useTraffic } from '../queries/use-routing.ts';
import { bandText } from '../rules/copy.ts';
import { DraftStrip } from './draft-strip.tsx';
import { RoutingSkeleton } from './routing-skeleton.tsx';
import { RuleList } from './rule-list.tsx';

type LiveRouting = NonNullable<ReturnType<typeof useLive>['data']>;

/** The published rules in order, beside the coverage map. */
export function RulesPage() {
  const live = useLive();
  return (
    <>
      <Head live={live.data} />
      {live.data !== undefined && (live.data.accounts.length === 0 ? <NoAccount /> : <Published live={live.data} />)}
      {live.data === undefined && !live.isError && <RoutingSkeleton />}
      {live.isError && live.data === undefined && <PageFailed code={undefined} onRetry={() => void live.refetch()} />}
    </>
  );
}

function Head({ live }: { live: LiveRouting | undefined }) {
  const scope = useRoutingScope();
  const can = useCan();
  const may = can('routing:publish', scope.merchantId);
  const seesMoney = can('report:read', scope.merchantId);
  const { begin, busy } = useCreateDraft();
  const exporting = useExport();
  const router = useRouter();
  const version = live?.ruleSet.version ?? 0;
  const untouched = useUntouchedDraft(version);
  useDraftAtOnce({ ready: live !== undefined && untouched !== undefined, possible: may && live?.accounts.length !== 0 }, () =>
    typeof untouched === 'string' ? router.replace(untouched) : void begin({ kind: 'published' }, {}, { instead: true }),
  );
  return (
    <>
      <PageHead title="Rules">
        <div className="flex flex-wrap gap-1 items-center">
          <Link
            className="menu-entry w-auto h-8 min-h-8 gap-1.5 px-2.5 text-ink-quiet font-medium disabled:bg-transparent disabled:text-ink-faint"
            href={hrefIn(scope, '/routing/history')}
          >
            <IconHistory size={16} stroke={1.7} aria-hidden="true" />
            History
          </Link>
          <Link
            className="menu-entry w-auto h-8 min-h-8 gap-1.5 px-2.5 text-ink-quiet font-medium disabled:bg-transparent disabled:text-ink-faint"
            href={hrefIn(scope, '/routing/canary')}
          >
            <IconPercentage size={16} stroke={1.7} aria-hidden="true" />
            Trials
          </Link>
          {seesMoney && (
            <Link
              className="menu-entry w-auto h-8 min-h-8 gap-1.5 px-2.5 text-ink-quiet font-medium disabled:bg-transparent disabled:text-ink-faint"
              href={hrefIn(scope, '/routing/earned')}
            >
              <IconCoins size={16} stroke={1.7} aria-hidden="true" />
              What it earned
            </Link>
          )}
          {may && (
            <Link
              className="menu-entry w-auto h-8 min-h-8 gap-1.5 px-2.5 text-ink-quiet font-medium disabled:bg-transparent disabled:text-ink-faint"
              href={hrefIn(scope, '/routing/import')}
            >
              <IconUpload size={16} stroke={1.7} aria-hidden="true" />
              Import
            </Link>
          )}
          <button
            type="button"
            className="menu-entry w-auto h-8 min-h-8 gap-1.5 px-2.5 text-ink-quiet font-medium disabled:bg-transparent disabled:text-ink-faint"
            disabled={version === 0 || exporting.busy}
            onClick={() => void exporting.save({ kind: 'published' }, `v${version}`)}
          >
            <IconDownload size={16} stroke={1.7} aria-hidden="true" />
            Export
          </button>
          {may && live?.accounts.length !== 0 && (
            <Button
              variant="accent"
              loading={busy}
              onClick={() => (untouched ? router.push(untouched) : void begin({ kind: 'published' }))}
            >
              {version === 0 ? 'Create the first rules' : 'Edit rules'}
            </Button>
          )}
        </div>
      </PageHead>
      <InForce version={version} known={live !== undefined} hasAccounts={live?.accounts.length !== 0} />
      {!may && (
        <p className="max-w-[90ch] mb-3 text-ink-quiet text-sm">
          Your role can read, try and replay rules. Owners and operators can change them.
        </p>
      )}
      <ApprovalRequests />
      <CanaryStrip />
      <DraftStrip />
    </>
  );
}

/** Creates the draft that the address requests, once all its inputs are loaded. */
function useDraftAtOnce({ ready, possible }: { readonly ready: boolean; readonly possible: boolean }, draft: () => void): void {
  const [{ do: doing }, setDoing] = useQueryStates(rulesParsers);
  const begun = useRef(false);
  const latest = useRef(draft);
  latest.current = draft;
  useEffect(() => {
    if (doing !== 'draft' || !ready || begun.current) return;
    begun.current = true;
    if (possible) latest.current();
    else void setDoing({ do: null });
  }, [doing, ready, possible, setDoing]);
}

/** The address of an unchanged draft of the user, to be used instead of a second one. Undefined until it is known. */
function useUntouchedDraft(version: number): string | null | undefined {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const { data } = useQuery(trpc.routing.drafts.list.queryOptions(scope));
  if (me === undefined || data === undefined) return undefined;
  const found = data.find(
    ({ createdBy, createdAt, updatedAt, baseVersion, restoredVersion, state }) =>
      createdBy === `staff:${me.staffId}` &&
      createdAt.getTime() === updatedAt.getTime() &&
      baseVersion === version &&
      restoredVersion === null &&
      state === 'DRAFT',
  );
  return found === undefined ? null : hrefIn(scope, `/routing/drafts/${found.draftId}`);
}

/** The active version, since when and why. */
function InForce({ version, known, hasAccounts }: { version: number; known: boolean; hasAccounts: boolean }) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const merchant = useMerchantName();
  const { nameOf } = usePeople();
  const { data: current } = useQuery(
    trpc.routing.versions.byVersion.queryOptions({ ...scope, version }, { enabled: version > 0 }),
  );
  if (!known) return <p className="max-w-[90ch] -mt-2 mx-0 mb-3 text-ink-quiet [&_b]:text-ink [&_b]:font-semibold">&nbsp;</p>;
  if (version === 0 || current === undefined) {
    return (
      <p className="max-w-[90ch] -mt-2 mx-0 mb-3 text-ink-quiet [&_b]:text-ink [&_b]:font-semibold">
        {merchant} has no rules in {scope.mode} mode yet
        {hasAccounts ? ': payments try its accounts in the order in which they were connected.' : '.'}
      </p>
    );
  }
  return (
    <p className="max-w-[90ch] -mt-2 mx-0 mb-3 text-ink-quiet [&_b]:text-ink [&_b]:font-semibold">
      <b>Version {current.version}</b> is active for {merchant}. Published <Moment value={current.publishedAt} /> by{' '}
      {nameOf(current.publishedBy)}
      {current.restoredVersion !== null && `, rolled back to version ${current.restoredVersion}`}
      {current.reason !== null && current.reason !== '' && <>: “{current.reason}”</>}
    </p>
  );
}

/** Rules need an account to send payments to: shows what to do first. */
function NoAccount() {
  const scope = useRoutingScope();
  const other = scope.mode === 'live' ? 'test' : 'live';
  return (
    <div className="grid gap-2 max-w-[68ch] pt-4 border-t border-line mt-2 [&_h2]:text-lg [&_h2]:font-semibold">
      <h2>Connect an account first</h2>
      <p>
        Rules choose among accounts at gateways, and there is none in {scope.mode} mode yet. With two of them a rule can say, for
        example: card payments up to NGN 5,000 go to paystack-main, and to flutterwave-main when that is down.
      </p>
      <p>
        <Link href={hrefIn(scope, '/gateways')}>Connect an account</Link>
      </p>
      <p className="max-w-[90ch] mb-3 text-ink-quiet text-sm">
        You can copy rules from {other} mode afterwards: export them there and import them here. Accounts are matched by label.
      </p>
    </div>
  );
}

function Published({ live }: { live: LiveRouting }) {
  const { ruleSet, accounts } = live;
  const scope = useRoutingScope();
  const name = useMerchantName();
  const traffic = useTraffic(ruleSet.version);
  const [lit, setLit] = useState<string | null>(null);
  const [picked, setPicked] = useState<Cell | null>(null);
  const mapScope = useMapScope(ruleSet, accounts);
  return (
    <div className="grid grid-cols-1 gap-10 mt-5 min-[1100px]:grid-cols-[minmax(0,1fr)_minmax(0,1.3fr)] min-[1100px]:gap-12 min-[1800px]:grid-cols-[minmax(0,640px)_minmax(0,1fr)]">
      <section aria-labelledby="rules-in-order">
        <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 mb-2.5">
          <h2 id="rules-in-order" className="col-span-full text-lg font-semibold tracking-[-0.005em]">
            Rules
          </h2>
          <p className="text-ink-faint text-sm">The first rule that matches a payment decides where it goes.</p>
          <span className="text-ink-faint text-sm pr-2 whitespace-nowrap">Last 7 days, by {traffic.decidedBy}</span>
        </div>
        <RuleList document={ruleSet} accounts={accounts} traffic={traffic} lit={lit} onLight={setLit} />
        <div className="mt-4">
          <RulesApproval merchant={{ merchantId: scope.merchantId, name }} />
        </div>
      </section>
      <section
        className="min-[1100px]:sticky min-[1100px]:top-[calc(var(--bar-height)_+_var(--band-height)_+_16px)] min-[1100px]:self-start"
        aria-labelledby="rules-on-map"
      >
        <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 mb-2.5">
          <h2 id="rules-on-map" className="col-span-full text-lg font-semibold tracking-[-0.005em]">
            Map
          </h2>
          <p className="text-ink-faint text-sm">The same rules by method and amount, coloured by the account tried first.</p>
        </div>
        <MapScope {...mapScope} />
        <CoverageMap
          document={ruleSet}
          accounts={accounts}
          currency={mapScope.currency}
          country={mapScope.country}
          keys={mapScope.keys}
          lit={lit}
          onLight={setLit}
          picked={picked}
          onPick={setPicked}
          hint="Point at a cell to see which rule decides; the arrow keys move between cells."
        />
        {picked !== null && <RuleHere cell={picked} currency={mapScope.currency} onDone={() => setPicked(null)} />}
      </section>
    </div>
  );
}

/** Creates a rule for the clicked cell. */
function RuleHere({ cell, currency, onDone }: { cell: Cell; currency: string; onDone: () => void }) {
  const scope = useRoutingScope();
  const may = useCan()('routing:publish', scope.merchantId);
  const { begin, busy } = useCreateDraft();
  if (!may) return null;
  return (
    <div className="flex flex-wrap gap-2 mt-3">
      <Button loading={busy} onClick={() => void begin({ kind: 'published' }, { cell: formatCellParam(cell, currency) })}>
        New rule for {methodTitle(cell.method)}, {bandText(currency, cell)}
      </Button>
      <Button onClick={onDone}>Cancel</Button>
    </div>
  );
}
