'use client';

import type { AppRouter } from '@switchyard/api/trpc';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError,
} from '@trpc/client';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import { type ReactNode, useState } from 'react';
import superjson from 'superjson';
import * as z from 'zod/mini';

export const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

const ENDPOINT = '/api/trpc';
const FRESH_MS = 10_000;
const TIMEOUT_MS = 20_000;
const URL_MAX = 4_000;
/** Procedures that read whole files, or rehearse what they would change: they answer later than any other, and some report progress. */
const LONG = /^settlements\.((files|bank)\.(inspect|preview|effect|take)|withdrawals\..+)$/;
const LONG_TIMEOUT_MS = 180_000;

/** The tRPC client of a page. A session that has ended leads to the sign-in page, and back afterwards. */
export function TrpcClientProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(
    () =>
      new QueryClient({
        queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
        mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
        defaultOptions: { queries: { staleTime: FRESH_MS, retry: shouldRetry } },
      }),
  );
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        splitLink({
          condition: ({ type }) => type === 'subscription',
          true: httpSubscriptionLink({ url: ENDPOINT, transformer: superjson }),
          false: splitLink({
            condition: ({ path }) => LONG.test(path),
            true: httpBatchStreamLink({
              url: ENDPOINT,
              transformer: superjson,
              maxURLLength: URL_MAX,
              // Files fill a request each.
              maxItems: 1,
              fetch: async (url, options) =>
                streamed(await fetch(url, { ...options, signal: AbortSignal.timeout(LONG_TIMEOUT_MS) })),
            }),
            false: httpBatchLink({
              url: ENDPOINT,
              transformer: superjson,
              maxURLLength: URL_MAX,
              fetch: (url, options) => fetch(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }),
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

/** The answer where it is a stream. Throws what it says of why it is none: it was refused before any procedure began. */
async function streamed(response: Response): Promise<Response> {
  if (response.ok) return response;
  const said = refusal.safeParse(await response.json().catch(() => null));
  throw new Error(said.data ?? 'The server could not answer. Try again.');
}

/** Of the server, of what stands before it, and of the procedures' own router. */
const refusal = z.union([
  z.pipe(
    z.looseObject({ message: z.string() }),
    z.transform(({ message }) => message),
  ),
  z.pipe(
    z.tuple([z.object({ error: z.object({ json: z.object({ message: z.string() }) }) })]),
    z.transform(([{ error }]) => error.json.message),
  ),
]);

/** The server's code for why a call failed, or null when it did not answer. */
export function failureCode(error: unknown): string | null {
  if (!(error instanceof TRPCClientError)) return null;
  const data: unknown = error.data;
  if (typeof data !== 'object' || data === null || !('code' in data)) return null;
  return typeof data.code === 'string' ? data.code : null;
}

function shouldRetry(count: number, error: Error): boolean {
  const code = failureCode(error);
  return count < 2 && (code === null || code === 'SERVICE_UNAVAILABLE' || code === 'INTERNAL_SERVER_ERROR');
}

function leaveWhenSignedOut(error: Error): void {
  if (failureCode(error) !== 'UNAUTHORIZED') return;
  const { pathname, search } = window.location;
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}
