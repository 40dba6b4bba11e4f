'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../../../trpc/client.tsx';
import { useRoutingScope } from './use-routing.ts';

const HOUR_MS = 3_600_000;
const DAYS = 7;

/** How much of the last seven days a rule decided. */
export interface Traffic {
  readonly payments: number;
  /** Null until loaded; `ruleId` null selects payments that no rule decided. */
  readonly countOf: (ruleId: string | null) => number | null;
}

/** The last seven days, up to the end of this hour. */
export function useLastWeek(): { readonly from: Date; readonly to: Date } {
  const [period] = useState(() => {
    const to = (Math.floor(Date.now() / HOUR_MS) + 1) * HOUR_MS;
    return { from: new Date(to - DAYS * 24 * HOUR_MS), to: new Date(to) };
  });
  return period;
}

/** The payments of the last week by the rule that decided them. */
export function useTraffic(): Traffic {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const period = useLastWeek();
  const { data } = useQuery(trpc.routing.traffic.queryOptions({ ...scope, ...period }, { staleTime: 60_000 }));
  return {
    payments: data?.payments ?? 0,
    countOf: (ruleId) => (data === undefined ? null : (data.rules.find((rule) => rule.ruleId === ruleId)?.payments ?? 0)),
  };
}
