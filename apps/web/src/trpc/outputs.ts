import type { AppRouter } from '@switchyard/api/trpc';
import type { inferRouterOutputs } from '@trpc/server';

/** The output of each procedure. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;
