import type { Stations } from '../sandbox.ts';
import type { Route } from '../server/router.ts';

export const pageRoutes: readonly Route<Stations>[] = [];
