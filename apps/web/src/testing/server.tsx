import type { AppRouter } from '@switchyard/api/trpc';
import { environmentManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, TRPCClientError } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import { act, type ReactNode } from 'react';
import { TRPCProvider } from '../trpc/client.tsx';

type Procedure = (input: unknown) => unknown;

/** The dashboard's server as a hook sees it: answers to its calls, given by the test, and a record of them. */
export interface TestServer {
  /** Answers a procedure from now on; a thrown error is its failure. */
  readonly on: (procedure: string, answer: Procedure) => void;
  /** The inputs that a procedure was called with, in order. */
  readonly calls: (procedure: string) => readonly unknown[];
  /** Sends data to every open subscription of a procedure. */
  readonly emit: (procedure: string, data: unknown) => Promise<void>;
  /** Ends every open subscription of a procedure with an error. */
  readonly failSubscriptions: (procedure: string, message: string) => Promise<void>;
  /** The inputs of the subscriptions of a procedure that are open. */
  readonly subscriptions: (procedure: string) => readonly unknown[];
  /** The query of the page's URL as it is now. */
  readonly search: () => string;
  /** Reads all that is shown again, as a page does that comes back into sight. */
  readonly readAgain: () => Promise<void>;
  /** True if no question to the server waits for its answer. */
  readonly isIdle: () => boolean;
  /** Gives hooks this server, and the query of the page's URL. */
  readonly wrapper: (props: { children: ReactNode }) => ReactNode;
  readonly close: () => void;
}

interface Subscription {
  readonly path: string;
  readonly input: unknown;
  readonly send: (data: unknown) => void;
  readonly fail: (message: string) => void;
}

/** Starts a server without procedures but the viewer's choices of columns. It is the last of the tRPC client's links, in place of HTTP. */
export function openServer(search: string): TestServer {
  // No columns have been chosen unless a test says so.
  const procedures = new Map<string, Procedure>([['account.tables', () => ({})]]);
  const calls: { readonly path: string; readonly input: unknown }[] = [];
  const subscriptions = new Set<Subscription>();
  let present = search;
  const openAt = (procedure: string) => [...subscriptions].filter(({ path }) => path === procedure);
  // Queries are refetched at intervals in browsers only.
  environmentManager.setIsServer(() => false);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const client = createTRPCClient<AppRouter>({
    links: [
      () =>
        ({ op: { path, input, type } }) =>
          observable((observer) => {
            calls.push({ path, input });
            if (type === 'subscription') {
              const subscription: Subscription = {
                path,
                input,
                send: (data) => observer.next({ result: { type: 'data', data } }),
                fail: (message) => observer.error(TRPCClientError.from(new Error(message))),
              };
              subscriptions.add(subscription);
              observer.next({ result: { type: 'started' } });
              return () => void subscriptions.delete(subscription);
            }
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
            return undefined;
          }),
    ],
  });
  return {
    on: (procedure, answer) => void procedures.set(procedure, answer),
    calls: (procedure) => calls.filter(({ path }) => path === procedure).map(({ input }) => input),
    emit: (procedure, data) =>
      act(async () => {
        for (const { send } of openAt(procedure)) send(data);
      }),
    failSubscriptions: (procedure, message) =>
      act(async () => {
        for (const { fail } of openAt(procedure)) fail(message);
      }),
    subscriptions: (procedure) => openAt(procedure).map(({ input }) => input),
    search: () => present,
    readAgain: () => act(() => queries.invalidateQueries()),
    isIdle: () => queries.isFetching() === 0,
    wrapper: ({ children }) => (
      <NuqsTestingAdapter
        searchParams={search}
        hasMemory
        onUrlUpdate={({ queryString }) => {
          present = queryString;
        }}
      >
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
