import type { useLive } from './use-routing.ts';

export type LiveRouting = NonNullable<ReturnType<typeof useLive>['data']>;
