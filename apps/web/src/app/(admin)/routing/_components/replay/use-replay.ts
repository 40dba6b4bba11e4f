'use client';

import { useSubscription } from '@trpc/tanstack-react-query';
import { useCallback, useEffect, useState } from 'react';
import type { REPLAY_CONDITIONS } from '#/app/(admin)/routing/address.ts';
import { serverNow } from '#/clock/server-clock.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useRoutingScope } from '../queries/use-routing.ts';

type ReplayStep = RouterOutputs['routing']['replay'] extends AsyncIterable<infer Step> ? Step : never;

/** The last step of a replay. */
type ReplayDone = Extract<ReplayStep, { kind: 'done' }>;

/** The figures of a replay. */
export type ReplayResult = ReplayDone['result'];

const DAY_MS = 86_400_000;
const AGAIN_MS = 2_000;

export type ReplayRules =
  | { readonly kind: 'draft'; readonly draftId: string }
  | { readonly kind: 'version'; readonly version: number };

/** Progress or result of a replay. */
export type ReplayState =
  | { readonly kind: 'running'; readonly done: number; readonly total: number | null; readonly moved: number }
  /** The server's replay capacity is in use; the request is retried automatically. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'failed'; readonly message: string }
  | ({ readonly kind: 'done'; readonly period: Period } & Omit<ReplayDone, 'kind'>);

/** `from` inclusive, `to` exclusive. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** With which accounts and fees payments are replayed. */
export type ReplayConditions = (typeof REPLAY_CONDITIONS)[number];

/** With which accounts a replay is made, how it is priced, and whether it runs. */
interface ReplayOptions {
  readonly enabled?: boolean;
  readonly conditions?: ReplayConditions;
  readonly fees?: 'contract' | 'effective';
}

/**
 * Sends the payments of the last days through a rule set. A changed `token` restarts the replay: the rules, or the
 * accounts and fees, have changed.
 */
export function useReplay(
  rules: ReplayRules,
  days: number,
  token: string | number,
  { enabled = true, conditions = 'as_they_were', fees = 'contract' }: ReplayOptions = {},
) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const [run, setRun] = useState(() => begin(days, token));
  const [state, setState] = useState<ReplayState>({ kind: 'running', done: 0, total: null, moved: 0 });
  const again = useCallback(() => {
    setState({ kind: 'running', done: 0, total: null, moved: 0 });
    setRun(begin(days, token));
  }, [days, token]);
  useEffect(() => {
    if (run.days !== days || run.token !== token) again();
  }, [run, days, token, again]);
  const isBusy = state.kind === 'busy';
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(again, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isBusy, again]);
  const { period } = run;
  useSubscription(
    trpc.routing.replay.subscriptionOptions(
      { ...scope, rules, ...period, conditions, fees },
      {
        enabled: enabled && (state.kind === 'running' || state.kind === 'busy'),
        onData(step) {
          switch (step.kind) {
            case 'progress':
              return setState({ ...step, kind: 'running' });
            case 'done':
              return setState({ ...step, period });
            case 'busy':
              return setState({ kind: 'busy' });
            case 'invalid':
              return setState({ kind: 'invalid' });
            case 'not_found':
              return setState({ kind: 'failed', message: 'This merchant no longer exists.' });
            default:
              return step satisfies never;
          }
        },
        onError: (error) => setState({ kind: 'failed', message: error.message }),
      },
    ),
  );
  return { state, again };
}

function begin(days: number, token: string | number) {
  const to = new Date(serverNow());
  return { days, token, period: { from: new Date(to.getTime() - days * DAY_MS), to } };
}
