import type { AppRouter } from '@switchyard/api/trpc';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { TRPCOptionsProxy } from '@trpc/tanstack-react-query';

/** The output of each procedure. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;

/** The input of each procedure. */
export type RouterInputs = inferRouterInputs<AppRouter>;

/** The procedures, as a page and its controls ask for them. */
export type Trpc = TRPCOptionsProxy<AppRouter>;
