'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Select } from '#/components/select/select.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import { RuleList } from '../list/rule-list.tsx';
import { CoverageMap, MapScope, useMapScope } from '../map/coverage-map.tsx';
import { useCreateDraft, useExport } from '../queries/use-create-draft.ts';
import { useLive, useRoutingScope } from '../queries/use-routing.ts';
import { DiffView, summariseDiff } from './diff-view.tsx';

/** A published rule set in the history. */
export type Version = RouterOutputs['routing']['versions']['list']['items'][number];

const RollBack = dynamic(() => import('./roll-back.tsx').then((module) => module.RollBack));

const NO_TRAFFIC = { payments: 0, decidedBy: '', countOf: () => null };

/** One version: how it differs from another, its rules, and what can be done with it. */
export function VersionView({
  version: { version },
  current,
  versions,
  other,
  onOther,
}: {
  version: Version;
  current: number;
  versions: readonly Version[];
  other: number | null;
  onOther: (other: number | null) => void;
}) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const live = useLive();
  const may = useCan()('routing:publish', scope.merchantId);
  const { begin, busy } = useCreateDraft();
  const exporting = useExport();
  const [asking, setAsking] = useState(false);
  const before = other ?? version - 1;
  const [from, to] = before < version ? [before, version] : [version, before];
  const { data: diff, isPending } = useQuery(
    trpc.routing.versions.diff.queryOptions(
      {
        ...scope,
        from: from < 1 ? null : { kind: 'version', version: from },
        to: { kind: 'version', version: to },
      },
      { staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  const accounts = live.data?.accounts ?? [];
  return (
    <section className="min-w-0" aria-labelledby="version">
      <div className="flex flex-wrap gap-x-4 gap-y-2 items-center justify-between mb-3">
        <h2 id="version" className="text-lg font-semibold">
          Version {version}
        </h2>
        <div className="flex flex-wrap gap-2">
          <Button loading={exporting.busy} onClick={() => void exporting.save({ kind: 'version', version }, `v${version}`)}>
            Export
          </Button>
          {may && (
            <Button loading={busy} onClick={() => void begin({ kind: 'version', version })}>
              Edit as a draft
            </Button>
          )}
          {may && version !== current && (
            <Button variant="accent" onClick={() => setAsking(true)}>
              Roll back to version {version}
            </Button>
          )}
        </div>
      </div>
      <div className="flex flex-wrap gap-x-2.5 gap-y-1 items-center mb-3 text-sm">
        <Select
          label="Compared with"
          labelPlace="inside"
          options={[...new Set([version - 1, ...versions.map((each) => each.version)])]
            .filter((each) => each !== version && each >= 0)
            .sort((left, right) => right - left)
            .map((each) => ({
              value: String(each),
              label: `${each === 0 ? 'no rules' : `version ${each}`}${each === version - 1 ? ', previous' : each === current ? ', active' : ''}`,
            }))}
          value={String(before)}
          onChange={(next) => onOther(Number(next) === version - 1 ? null : Number(next))}
        />
        <span className="text-ink-faint text-sm">{diff?.kind === 'compared' ? summariseDiff(diff.diff) : ''}</span>
      </div>
      {before > version && (
        <p className="text-ink-faint text-sm">
          From version {from} to version {to}.
        </p>
      )}
      {isPending && (
        <div
          className="h-[160px] mb-5 rounded-xl bg-ground-quiet"
          role="status"
          aria-label="Loading the changes"
          aria-busy="true"
        />
      )}
      {diff?.kind === 'compared' && <DiffView diff={diff.diff} accounts={accounts} />}
      {diff !== undefined && diff.kind !== 'compared' && (
        <p className="text-ink-faint text-sm">One of the two versions cannot be read.</p>
      )}
      <Rules version={version} />
      {asking && <RollBack version={version} current={current} onClose={() => setAsking(false)} />}
    </section>
  );
}

/** The rules exactly as they were published, on the accounts of today. */
function Rules({ version }: { version: number }) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const live = useLive();
  const [lit, setLit] = useState<string | null>(null);
  const { data, isPending } = useQuery(
    trpc.routing.versions.byVersion.queryOptions({ ...scope, version }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const accounts = live.data?.accounts ?? [];
  const document = data?.ruleSet ?? { rules: [], defaultOrder: [] };
  const mapScope = useMapScope(document, accounts);
  if (isPending)
    return (
      <div className="h-[160px] mb-5 rounded-xl bg-ground-quiet" role="status" aria-label="Loading the rules" aria-busy="true" />
    );
  if (data === undefined) return null;
  return (
    <>
      <h3 className="mt-8 mb-2.5 text-base font-semibold">Rules of version {version}</h3>
      <MapScope {...mapScope} />
      <CoverageMap
        document={document}
        accounts={accounts}
        currency={mapScope.currency}
        country={mapScope.country}
        keys={mapScope.keys}
        lit={lit}
        onLight={setLit}
        picked={null}
        onPick={() => undefined}
        hint="Point at a cell to see which rule decided."
      />
      <div className="mt-5">
        <RuleList document={document} accounts={accounts} traffic={NO_TRAFFIC} lit={lit} onLight={setLit} />
      </div>
    </>
  );
}
