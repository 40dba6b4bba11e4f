'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { Account } from '../_rules/document.ts';
import { type Check, type PlacedNotes, placeNotes } from '../_rules/findings.ts';
import type { DraftInHand } from './use-draft.ts';
import { useRoutingScope } from './use-routing.ts';

export interface LiveCheck {
  /** What the server says of the draft as it is stored; null before the first answer. */
  readonly check: Check | null;
  readonly notes: PlacedNotes;
  /** Whether something is shown that the draft has moved on from. */
  readonly isBehind: boolean;
}

/** Checks the draft after every save. */
export function useCheck({ draft, saved }: DraftInHand, accounts: readonly Account[]): LiveCheck {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const queries = useQueryClient();
  const options = trpc.routing.validate.queryOptions({ ...scope, rules: { kind: 'draft', draftId: draft.draftId } });
  const { data, isFetching } = useQuery({ ...options, staleTime: Number.POSITIVE_INFINITY });
  const checked = useRef(draft.revision);
  useEffect(() => {
    if (checked.current === draft.revision) return;
    checked.current = draft.revision;
    void queries.invalidateQueries({ queryKey: options.queryKey });
  }, [draft.revision, queries, options.queryKey]);
  const check = data?.kind === 'checked' ? data : null;
  const notes = useMemo(() => placeNotes(check, accounts), [check, accounts]);
  return { check, notes, isBehind: isFetching || saved.kind !== 'saved' };
}
