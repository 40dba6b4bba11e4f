'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serverNow } from '#/clock/server-clock.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { Takeovers } from '../rules/takeovers.ts';
import { useRoutingScope } from './use-routing.ts';

const HOUR_MS = 3_600_000;
const DAYS = 7;

/** How much of the last seven days' payments each rule decides; those that asked for a gateway are left out. */
export interface Traffic {
  readonly payments: number;
  /** The rules that they were counted by: `version 7`, `this draft`. */
  readonly decidedBy: string;
  /** Null until loaded; `ruleId` null selects payments that no rule decided. */
  readonly countOf: (ruleId: string | null) => number | null;
}

/** The last seven days, up to the end of this hour. */
export function useLastWeek(): { readonly from: Date; readonly to: Date } {
  return useLastDays(DAYS);
}

/** The last days, up to the end of this hour. */
export function useLastDays(days: number): { readonly from: Date; readonly to: Date } {
  const [period] = useState(() => {
    const to = (Math.floor(serverNow() / HOUR_MS) + 1) * HOUR_MS;
    return { from: new Date(to - days * 24 * HOUR_MS), to: new Date(to) };
  });
  return period;
}

/** The payments of the last week, as the active rules decide them, whichever version decided them then. */
export function useTraffic(version: number): Traffic {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const period = useLastWeek();
  const options = trpc.routing.takeovers.queryOptions(
    { ...scope, rules: { kind: 'published' }, ...period },
    { staleTime: 60_000 },
  );
  const { data } = useQuery(options);
  return trafficOf(data?.kind === 'compared' ? data : null, version === 0 ? 'the default order' : `version ${version}`);
}

/** The counted payments of the last week by the rule that decides them; `decidedBy` names the rules. */
export function trafficOf(counted: Pick<Takeovers, 'payments' | 'decided'> | null, decidedBy: string): Traffic {
  return {
    payments: counted?.payments ?? 0,
    decidedBy,
    countOf: (ruleId) => (counted === null ? null : (counted.decided.find((each) => each.ruleId === ruleId)?.payments ?? 0)),
  };
}
