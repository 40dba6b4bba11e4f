'use client';

import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { type Scope, scopeParsers } from './scope.ts';

/** The scope of the current page. Test mode unless the address names another. */
export function useScope(): Scope {
  const [{ mode, merchant }] = useQueryStates(scopeParsers);
  return useMemo(() => ({ mode: mode ?? 'test', merchantId: merchant }), [mode, merchant]);
}
