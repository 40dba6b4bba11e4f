'use client';

import type { AppRouter } from '@switchyard/api/trpc';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createTRPCClient,
  httpBatchLink,
  httpSubscriptionLink,
  type OperationLink,
  splitLink,
  TRPCClientError,
  type TRPCLink,
} from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import { type ReactNode, useState } from 'react';
import superjson from 'superjson';
import { fetchWithClock } from '../clock/server-clock.ts';
import { failureCode } from './failure-code.ts';
import { holdWhileSignedOut } from './hold-while-signed-out.ts';

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

const ENDPOINT = '/api/trpc';
const FRESH_MS = 10_000;
const TIMEOUT_MS = 20_000;
const URL_MAX = 4_000;
/** Procedures that read whole files, or rehearse what they would change: they answer later than any other, and some report progress. */
const LONG = /^settlements\.((files|bank)\.(inspect|preview|effect|take)|withdrawals\..+)$/;

/** The tRPC client of a page. Calls of a session that has ended wait until the person has signed in again. */
export function TrpcClientProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { staleTime: FRESH_MS, retry: shouldRetry } },
      }),
  );
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        holdWhileSignedOut(),
        splitLink({
          condition: ({ type }) => type === 'subscription',
          true: httpSubscriptionLink({ url: ENDPOINT, transformer: superjson }),
          false: splitLink({
            condition: ({ path }) => LONG.test(path),
            true: loadedByUse(async () => (await import('./long-calls.ts')).longCallsLink(ENDPOINT)),
            false: httpBatchLink({
              url: ENDPOINT,
              transformer: superjson,
              maxURLLength: URL_MAX,
              fetch: (url, options) => fetchWithClock(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }),
            }),
          }),
        }),
      ],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

/** A link that is loaded by the first call through it: a page without such a call does without its code. */
function loadedByUse(load: () => Promise<TRPCLink<AppRouter>>): TRPCLink<AppRouter> {
  return (runtime) => {
    let loading: Promise<OperationLink<AppRouter>> | null = null;
    return ({ op, next }) =>
      observable((observer) => {
        let isOver = false;
        let running: Unsubscribable | null = null;
        loading ??= load().then((link) => link(runtime));
        loading.then(
          (link) => {
            if (!isOver) running = link({ op, next }).subscribe(observer);
          },
          (error: Error) => {
            loading = null;
            observer.error(TRPCClientError.from(error));
          },
        );
        return () => {
          isOver = true;
          running?.unsubscribe();
        };
      });
  };
}

function shouldRetry(count: number, error: Error): boolean {
  const code = failureCode(error);
  return count < 2 && (code === null || code === 'SERVICE_UNAVAILABLE' || code === 'INTERNAL_SERVER_ERROR');
}
