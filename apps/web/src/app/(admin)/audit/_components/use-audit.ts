'use client';

import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { ListCount } from '#/components/list/list-end.tsx';
import { useNounList } from '#/components/list/use-noun-list.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { type AuditFilters, auditQuery, toAuditFilter } from '../filters.ts';

/** An entry of the audit log, as the server lists it. */
export type AuditEntry = RouterOutputs['audit']['list']['items'][number];

const COUNT_REFRESH_MS = 30_000;

/** The entries of the scope and these filters, page by page; the first page is refetched. */
export function useAudit(filters: AuditFilters, sort = '') {
  return useNounList(auditQuery(useTRPC(), useScope(), filters, sort));
}

/** The number of entries of the scope and these filters; undefined while it is not known. */
export function useAuditCount(filters: AuditFilters): ListCount | undefined {
  const trpc = useTRPC();
  const scope = useScope();
  const { data } = useQuery(
    trpc.audit.count.queryOptions(toAuditFilter(scope, filters), {
      placeholderData: keepPreviousData,
      refetchInterval: COUNT_REFRESH_MS,
    }),
  );
  return data ?? undefined;
}

type Chain = RouterOutputs['audit']['chains'][number];
type Verified = Exclude<RouterOutputs['audit']['verify'], { kind: 'continues' }>;
/** A saved head of the hash chain: its position and its hash. */
export type SavedChainHead = Readonly<{ position: number; hash: string }>;

/** A hash chain with the result of its verification in this browser. */
export interface CheckedChain extends Chain {
  /** Null before and during verification. */
  readonly verified: Verified | null;
}

/** Chains up to this length are verified automatically. */
const AUTOMATIC_MAX = 20_000;
const CALLS_MAX = 500;

/** The visible chains and whether each is intact; short ones are verified when the page opens. */
export function useChains() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const scope = useScope();
  const { data: chains, error } = useQuery(trpc.audit.chains.queryOptions({ merchantId: scope.merchantId }));
  const [results, setResults] = useState<ReadonlyMap<string, Verified>>(new Map());
  const [running, setRunning] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const entries = (chains ?? []).reduce((sum, { position }) => sum + position, 0);

  const verify = useCallback(
    async (which: readonly Chain[], kept: SavedChainHead | null = null) => {
      setRunning(true);
      setFailed(null);
      try {
        for (const { merchantId } of which) {
          const verified = await verifyOne(queries, trpc, merchantId, kept);
          setResults((before) => new Map(before).set(merchantId ?? '', verified));
        }
      } catch (cause) {
        setFailed(cause instanceof Error ? cause.message : 'The log could not be verified.');
      } finally {
        setRunning(false);
      }
    },
    [queries, trpc],
  );
  const shortEnough = chains !== undefined && entries <= AUTOMATIC_MAX;
  const key = chains?.map(({ merchantId }) => merchantId ?? '').join() ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each set of chains; entries appended later are verified on request.
  useEffect(() => {
    if (shortEnough && chains !== undefined) void verify(chains);
  }, [key, shortEnough]);

  const checked = chains?.map((chain): CheckedChain => ({ ...chain, verified: results.get(chain.merchantId ?? '') ?? null }));
  const beginning = shortEnough && results.size === 0 && failed === null;
  return { chains: checked, entries, running: running || beginning, message: failed ?? error?.message ?? null, verify };
}

/** Verifies one hash chain, page after page until its end. */
async function verifyOne(
  queries: QueryClient,
  trpc: ReturnType<typeof useTRPC>,
  merchantId: string | null,
  kept: SavedChainHead | null,
): Promise<Verified> {
  const look = (from: SavedChainHead | null) =>
    queries.fetchQuery(trpc.audit.verify.queryOptions({ merchantId, from, kept }, { staleTime: 0, gcTime: 0 }));
  let outcome = await look(null);
  for (let calls = 1; outcome.kind === 'continues' && calls < CALLS_MAX; calls++) outcome = await look(outcome.to);
  if (outcome.kind !== 'continues') return outcome;
  throw new Error('The log is too long to be verified here.');
}
