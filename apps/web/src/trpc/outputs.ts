import type { AppRouter } from '@switchyard/api/trpc';
import type { inferRouterOutputs } from '@trpc/server';

/** What each procedure answers. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;
