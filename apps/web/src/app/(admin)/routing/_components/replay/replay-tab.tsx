'use client';

import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { REPLAY_CONDITIONS, REPLAY_DAYS, REPLAY_FEES, replayParsers } from '#/app/(admin)/routing/address.ts';
import { Button } from '#/components/button/button.tsx';
import { groupDecimal } from '#/format/amounts.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import type { LiveRouting } from '../queries/use-routing.ts';
import { labelIn, NOT_COMPLETE, shareText, signedHundredths } from '../rules/copy.ts';
import { FlowDiagram } from './flow-diagram.tsx';
import { MovedPayments } from './moved-payments.tsx';
import classes from './replay-tab.module.css';
import type { ReplayResult } from './replay-text.ts';
import { type ReplayConditions, type ReplayState, useReplay } from './use-replay.ts';

const CONDITION_LABELS: Readonly<Record<ReplayConditions, { readonly name: string; readonly meaning: string }>> = {
  as_they_were: { name: 'As they were', meaning: 'as things stood at its time' },
  today: {
    name: "With today's accounts and fees",
    meaning: "with today's accounts, their limits and fees; health and overrides as they were at its time",
  },
};

const MEASURED = new Intl.NumberFormat('en', { maximumFractionDigits: 2, signDisplay: 'exceptZero' });

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
              className={classes.day}
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
              className={classes.day}
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
              className={classes.day}
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
      <Progress state={state} onAgain={again} />
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

/** The progress of a replay, or why there is none. */
export function Progress({ state, onAgain }: { state: ReplayState; onAgain: () => void }) {
  switch (state.kind) {
    case 'running': {
      const { done, total, moved } = state;
      const progress =
        total === null
          ? 'Counting the payments'
          : `${done.toLocaleString('en')} of ${total.toLocaleString('en')} payments replayed`;
      return (
        <div
          className="grid gap-1.5 max-w-[480px] text-ink-quiet text-sm tabular-nums [&_progress]:w-full [&_progress]:h-1.5 [&_progress]:accent-accent"
          role="status"
        >
          <progress value={total === null || total === 0 ? undefined : done} max={total ?? 1} aria-label="Replay" />
          <p>
            {progress}
            {moved > 0 && `, ${moved.toLocaleString('en')} move so far`}
          </p>
        </div>
      );
    }
    case 'busy':
      return (
        <p className={classes.muted} role="status">
          Other replays are running. This one starts when one of them ends.
        </p>
      );
    case 'invalid':
      return <p className={classes.muted}>{NOT_COMPLETE}</p>;
    case 'failed':
      return (
        <div className="grid gap-3 justify-items-start text-bad-ink">
          <p>The replay failed: {state.message}</p>
          <Button onClick={onAgain}>Replay again</Button>
        </div>
      );
    case 'done':
      return null;
    default:
      return state satisfies never;
  }
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
      <p className={classes.muted}>There were no payments in this period. Choose a longer period, or try a single payment.</p>
    );
  }
  const nameOf = (accountId: string | null) => (accountId === null ? 'no account' : labelIn(live.accounts, accountId));
  return (
    <>
      <Figures result={result} days={days} />
      <p className={classes.muted}>
        Each payment was sent through this draft and through {liveVersion === 0 ? 'the active rules' : `version ${liveVersion}`}{' '}
        {CONDITION_LABELS[conditions].meaning}.
        {cut && ' The period holds more payments than one replay takes: the newest million were replayed.'}
        {unreadable > 0 && ` ${unreadable} could not be read and are in no figure.`}
      </p>
      {result.moved > 0 && (
        <>
          <FlowDiagram result={result} accounts={live.accounts} nameOf={nameOf} move={move} onMove={onMove} />
          <MovedPayments
            rules={{ kind: 'draft', draftId }}
            period={period}
            conditions={conditions}
            move={move}
            nameOf={nameOf}
            onAll={() => onMove(null)}
          />
        </>
      )}
    </>
  );
}

/** The figures of a replay: what moves, fees and the expected success. */
export function Figures({ result, days }: { result: ReplayResult; days: number }) {
  const { payments, moved, reordered, unroutable, fees, conversion } = result;
  const share = (part: number) => shareText(part, payments) ?? '';
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4 mb-4">
      <Figure
        name="Payments replayed"
        value={payments.toLocaleString('en')}
        note={days === 1 ? 'of the last day' : `of the last ${days} days`}
      />
      <Figure name="Change first gateway" value={moved.toLocaleString('en')} note={share(moved)} strong />
      <Figure name="Change fallbacks only" value={reordered.toLocaleString('en')} note={share(reordered)} />
      {unroutable.payments > 0 && (
        <Figure
          name="No listed account left"
          value={unroutable.payments.toLocaleString('en')}
          note={share(unroutable.payments)}
          bad
        />
      )}
      {fees.map(({ currency, difference, compared, unpriced }) => (
        <Figure
          key={currency}
          name={`Fees, ${currency}`}
          value={compared === 0 ? '–' : signedHundredths(difference)}
          note={
            compared === 0
              ? 'no paid payment to compare'
              : `on ${groupDecimal(BigInt(compared))} paid payments${unpriced > 0 ? `, ${unpriced} without a fee schedule` : ''}`
          }
        />
      ))}
      <Figure
        name="Success rate, estimated"
        value={conversion.covered === 0 ? '–' : `${MEASURED.format(conversion.difference * 100)} pp`}
        note={conversion.message}
      />
    </dl>
  );
}

/** One figure with its name and a note. */
export function Figure({
  name,
  value,
  note,
  strong = false,
  bad = false,
}: {
  name: string;
  value: string;
  note: string;
  strong?: boolean;
  bad?: boolean;
}) {
  return (
    <div className={classes.figure} data-strong={strong} data-bad={bad}>
      <dt>{name}</dt>
      <dd>
        <b>{value}</b>
        <span>{note}</span>
      </dd>
    </div>
  );
}
