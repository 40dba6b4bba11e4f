'use client';

import { IconCode } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isUuid } from '#/format/uuid.ts';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import type { Command } from './commands.ts';

const FOUND_MAX = 6;

/** Requests with an API key that have the id that was entered, as commands that open them. */
export function useRequestSearch(text: string, scope: Scope): Command[] {
  const trpc = useTRPC();
  const can = useCan();
  const requestId = text.trim().toLowerCase();
  const enabled = isUuid(requestId) && can('key:read');
  const input = { ...scopeFilter(scope), requestId, limit: FOUND_MAX };
  const { data } = useQuery(trpc.requests.list.queryOptions(input, { enabled }));
  if (!enabled) return [];
  return (data?.items ?? []).map(({ apiRequestId, method, path, status }) => ({
    id: `request:${apiRequestId}`,
    label: `${method} ${path}, ${status === null ? 'not answered' : `HTTP ${status}`}`,
    icon: IconCode,
    run: ({ go }) => go('/developers/requests', { q: requestId, request: apiRequestId }),
  }));
}
