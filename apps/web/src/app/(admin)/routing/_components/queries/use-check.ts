'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useTRPC } from '#/trpc/client.tsx';
import type { EditedDraft } from '../draft/use-draft.ts';
import type { Account } from '../rules/document.ts';
import { type Check, type PlacedNotes, placeNotes } from '../rules/findings.ts';
import type { Takeovers } from '../rules/takeovers.ts';
import { useRoutingScope } from './use-routing.ts';
import { type Traffic, trafficOf, useLastWeek } from './use-traffic.ts';

/** The server's check of a draft while it is edited. */
export interface LiveCheck {
  /** The server's check of the stored draft; null before the first answer. */
  readonly check: Check | null;
  readonly notes: PlacedNotes;
  /** Findings of the active version that the draft no longer has. */
  readonly gone: NonNullable<Check['compared']>['gone'];
  /** Whose payments of the last seven days the rules take over; null until it is known. */
  readonly takeovers: Takeovers | null;
  /** The share of those payments that each rule of the draft would decide. */
  readonly traffic: Traffic;
  /** True if the shown result is of an earlier state of the draft. */
  readonly isBehind: boolean;
}

/** Checks the draft after every save. */
export function useCheck({ draft, saved }: EditedDraft, accounts: readonly Account[]): LiveCheck {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const queries = useQueryClient();
  const options = trpc.routing.validate.queryOptions({ ...scope, rules: { kind: 'draft', draftId: draft.draftId } });
  const { data, isFetching } = useQuery({ ...options, staleTime: Number.POSITIVE_INFINITY });
  const period = useLastWeek();
  const takeoverOptions = trpc.routing.takeovers.queryOptions({
    ...scope,
    rules: { kind: 'draft', draftId: draft.draftId },
    ...period,
  });
  const { data: compared } = useQuery({ ...takeoverOptions, staleTime: Number.POSITIVE_INFINITY });
  const checked = useRef(draft.revision);
  useEffect(() => {
    if (checked.current === draft.revision) return;
    checked.current = draft.revision;
    void queries.invalidateQueries({ queryKey: options.queryKey });
    void queries.invalidateQueries({ queryKey: takeoverOptions.queryKey });
  }, [draft.revision, queries, options.queryKey, takeoverOptions.queryKey]);
  const check = data?.kind === 'checked' ? data : null;
  const takeovers = compared?.kind === 'compared' ? compared : null;
  const notes = useMemo(() => placeNotes(check, accounts, takeovers), [check, accounts, takeovers]);
  const traffic = useMemo(() => trafficOf(takeovers, 'this draft'), [takeovers]);
  const gone = check?.compared?.gone ?? [];
  return { check, notes, gone, takeovers, traffic, isBehind: isFetching || saved.kind !== 'saved' };
}
