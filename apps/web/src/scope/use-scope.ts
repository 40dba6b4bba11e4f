'use client';

import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { type Scope, scopeParsers } from './scope.ts';

/** The scope of the page shown. Test until the address says otherwise. */
export function useScope(): Scope {
  const [{ mode, merchant }] = useQueryStates(scopeParsers);
  return useMemo(() => ({ mode: mode ?? 'test', merchantId: merchant }), [mode, merchant]);
}
