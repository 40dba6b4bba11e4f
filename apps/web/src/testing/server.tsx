import type { AppRouter } from '@switchyard/api/trpc';
import { environmentManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, TRPCClientError } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import type { ReactNode } from 'react';
import { TRPCProvider } from '../trpc/client.tsx';

type Procedure = (input: unknown) => unknown;

/** The dashboard's server as a hook sees it: answers to its calls, given by the test, and a record of them. */
export interface TestServer {
  /** Answers a procedure from now on; a thrown error is its failure. */
  readonly on: (procedure: string, answer: Procedure) => void;
  /** The inputs that a procedure was called with, in order. */
  readonly calls: (procedure: string) => readonly unknown[];
  /** Gives hooks this server, and the query of the page's URL. */
  readonly wrapper: (props: { children: ReactNode }) => ReactNode;
  readonly close: () => void;
}

/** Starts a server without procedures. It is the last of the tRPC client's links, in place of HTTP. */
export function openServer(search: string): TestServer {
  const procedures = new Map<string, Procedure>();
  const calls: { readonly path: string; readonly input: unknown }[] = [];
  // Queries are refetched at intervals in browsers only.
  environmentManager.setIsServer(() => false);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const client = createTRPCClient<AppRouter>({
    links: [
      () =>
        ({ op: { path, input } }) =>
          observable((observer) => {
            calls.push({ path, input });
            const procedure = procedures.get(path);
            Promise.resolve()
              .then(() => {
                if (procedure === undefined) throw new Error(`The test has no answer to ${path}.`);
                return procedure(input);
              })
              .then(
                (data) => {
                  observer.next({ result: { type: 'data', data } });
                  observer.complete();
                },
                (error: Error) => observer.error(TRPCClientError.from(error)),
              );
          }),
    ],
  });
  return {
    on: (procedure, answer) => void procedures.set(procedure, answer),
    calls: (procedure) => calls.filter(({ path }) => path === procedure).map(({ input }) => input),
    wrapper: ({ children }) => (
      <NuqsTestingAdapter searchParams={search} hasMemory>
        <QueryClientProvider client={queries}>
          <TRPCProvider trpcClient={client} queryClient={queries}>
            {children}
          </TRPCProvider>
        </QueryClientProvider>
      </NuqsTestingAdapter>
    ),
    close() {
      queries.clear();
      environmentManager.setIsServer(() => true);
    },
  };
}
