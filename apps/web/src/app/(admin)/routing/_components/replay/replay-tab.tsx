'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { REPLAY_CONDITIONS, REPLAY_DAYS, REPLAY_FEES, replayParsers } from '#/app/(admin)/routing/address.ts';
import { Button } from '#/components/button/button.tsx';
import { usePages } from '#/components/list/use-noun-list.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { EditedDraft } from '../draft/use-draft.ts';
import { type MovedPayment, MovedPayments } from '../moves/moved-payments.tsx';
import { describePeriod, ReplayProgress, WhatMoves } from '../moves/what-moves.tsx';
import { type LiveRouting, useRoutingScope } from '../queries/use-routing.ts';
import { accountNamer } from '../rules/copy.ts';
import { type Period, type ReplayConditions, type ReplayRules, type ReplayState, useReplay } from './use-replay.ts';

const CONDITION_LABELS: Readonly<Record<ReplayConditions, { readonly name: string; readonly meaning: string }>> = {
  as_they_were: { name: 'As they were', meaning: 'as things stood at its time' },
  today: {
    name: "With today's accounts and fees",
    meaning: "with today's accounts, their limits and fees; health and overrides as they were at its time",
  },
};

/** Replays the merchant's payments of the last days with the draft: how many would move, which, and at what cost. */
export function ReplayTab({ edited, live, onReview }: { edited: EditedDraft; live: LiveRouting; onReview: () => void }) {
  const [{ days: asked, with: conditions, fees, move }, setAddress] = useQueryStates(replayParsers);
  const days = REPLAY_DAYS.find((each) => each === asked) ?? 7;
  const isStored = edited.saved.kind === 'saved';
  const rules = useMemo(() => ({ kind: 'draft' as const, draftId: edited.draft.draftId }), [edited.draft.draftId]);
  const { state, again } = useReplay(rules, days, `${edited.draft.revision} ${conditions} ${fees}`, {
    enabled: isStored,
    conditions,
    fees,
  });
  return (
    <>
      <div className="flex flex-wrap gap-2 items-center mb-4">
        <fieldset className="flex gap-0.5 my-0 mr-2 ml-0 p-0.5 border-0 rounded-xl bg-ground-hover">
          <legend className="sr-only">Period</legend>
          {REPLAY_DAYS.map((each) => (
            <button
              key={each}
              type="button"
              className="segment"
              aria-pressed={each === days}
              onClick={() => void setAddress({ days: each, move: null })}
            >
              {each === 1 ? 'Last day' : `Last ${each} days`}
            </button>
          ))}
        </fieldset>
        <fieldset className="flex gap-0.5 my-0 mr-2 ml-0 p-0.5 border-0 rounded-xl bg-ground-hover">
          <legend className="sr-only">Accounts and fees</legend>
          {REPLAY_CONDITIONS.map((each) => (
            <button
              key={each}
              type="button"
              className="segment"
              aria-pressed={each === conditions}
              onClick={() => void setAddress({ with: each, move: null })}
            >
              {CONDITION_LABELS[each].name}
            </button>
          ))}
        </fieldset>
        <fieldset className="flex gap-0.5 my-0 mr-2 ml-0 p-0.5 border-0 rounded-xl bg-ground-hover">
          <legend className="sr-only">Fees</legend>
          {REPLAY_FEES.map((each) => (
            <button
              key={each}
              type="button"
              className="segment"
              aria-pressed={each === fees}
              onClick={() => void setAddress({ fees: each })}
            >
              {FEE_LABELS[each]}
            </button>
          ))}
        </fieldset>
        <Button onClick={again} disabled={state.kind === 'running'}>
          Replay again
        </Button>
        {state.kind === 'done' && (
          <Button variant="accent" onClick={onReview}>
            Review and publish
          </Button>
        )}
      </div>
      <ReplayProgress state={state} onAgain={again} />
      {state.kind === 'done' && (
        <Outcome
          state={state}
          days={days}
          live={live}
          conditions={conditions}
          draftId={edited.draft.draftId}
          move={move}
          onMove={(next) => void setAddress({ move: next })}
        />
      )}
    </>
  );
}

const FEE_LABELS = { contract: 'Fees by contract', effective: 'Fees as charged lately' } as const;

type DoneState = Extract<ReplayState, { kind: 'done' }>;

function Outcome({
  state: { result, period, liveVersion, unreadable, cut },
  days,
  live,
  conditions,
  draftId,
  move,
  onMove,
}: {
  state: DoneState;
  days: number;
  live: LiveRouting;
  conditions: ReplayConditions;
  draftId: string;
  move: string | null;
  onMove: (move: string | null) => void;
}) {
  if (result.payments === 0) {
    return (
      <p className="max-w-[90ch] text-ink-faint text-sm">
        There were no payments in this period. Choose a longer period, or try a single payment.
      </p>
    );
  }
  return (
    <WhatMoves
      result={result}
      counted={['Payments replayed', describePeriod(days)]}
      accounts={live.accounts}
      move={move}
      onMove={onMove}
      about={
        <p className="max-w-[90ch] text-ink-faint text-sm">
          Each payment was sent through this draft and through {liveVersion === 0 ? 'the active rules' : `version ${liveVersion}`}{' '}
          {CONDITION_LABELS[conditions].meaning}.
          {cut && ' The period holds more payments than one replay takes: the newest million were replayed.'}
          {unreadable > 0 && ` ${unreadable} could not be read and are in no figure.`}
        </p>
      }
    >
      <ReplayedPayments
        rules={{ kind: 'draft', draftId }}
        period={period}
        conditions={conditions}
        move={move}
        accounts={live.accounts}
        onAll={() => onMove(null)}
      />
    </WhatMoves>
  );
}

/** The payments behind the figures: of all moves, or of one. */
function ReplayedPayments({
  rules,
  period,
  conditions,
  move,
  accounts,
  onAll,
}: {
  rules: ReplayRules;
  period: Period;
  conditions: ReplayConditions;
  move: string | null;
  accounts: LiveRouting['accounts'];
  onAll: () => void;
}) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const [from, to] = move?.split('>') ?? [];
  const wanted = move === null ? null : { from: from || null, to: to || null };
  const query = useInfiniteQuery(
    trpc.routing.movedPayments.infiniteQueryOptions(
      { ...scope, rules, ...period, conditions, move: wanted, limit: 50 },
      {
        getNextPageParam: (page) => (page.kind === 'page' ? (page.next ?? undefined) : undefined),
        select: ({ pages, pageParams }) => ({ pages: pages.map((page) => (page.kind === 'page' ? page : NO_PAGE)), pageParams }),
        staleTime: Number.POSITIVE_INFINITY,
      },
    ),
  );
  const nameOf = accountNamer(accounts);
  return (
    <MovedPayments
      title={wanted === null ? 'Payments that move' : `From ${nameOf(wanted.from)} to ${nameOf(wanted.to)}`}
      name="replayed-payments"
      list={usePages<MovedPayment>(query)}
      accounts={accounts}
      action={wanted !== null && <Button onClick={onAll}>Show all moves</Button>}
    />
  );
}

const NO_PAGE = { items: [] };
