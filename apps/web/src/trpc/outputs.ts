import type { AppRouter } from '@switchyard/api/trpc';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';

/** The output of each procedure. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;

/** The input of each procedure. */
export type RouterInputs = inferRouterInputs<AppRouter>;
