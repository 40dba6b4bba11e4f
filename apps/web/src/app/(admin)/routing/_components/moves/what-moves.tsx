'use client';

import type { ReactNode } from 'react';
import { Button } from '#/components/button/button.tsx';
import { groupDecimal } from '#/format/amounts.ts';
import type { LiveRouting } from '../queries/use-routing.ts';
import type { ReplayResult, ReplayState } from '../replay/use-replay.ts';
import { accountNamer, counted, NOT_COMPLETE, shareText, signedHundredths } from '../rules/copy.ts';
import { FlowDiagram } from './flow-diagram.tsx';

/** Changes that other rules make to a number of payments: found by a replay, or in shadow. */
type Moves = Omit<ReplayResult, 'unroutable'> & Partial<Pick<ReplayResult, 'unroutable'>>;

const MEASURED = new Intl.NumberFormat('en', { maximumFractionDigits: 2, signDisplay: 'exceptZero' });

/** Payments that would move: the figures, the accounts that they leave and reach, and below them each payment. */
export function WhatMoves({
  result,
  counted,
  accounts,
  move = null,
  onMove,
  about,
  children,
}: {
  result: Moves;
  /** The name of the payments that were counted, and a note on them. */
  counted: readonly [name: string, note: string];
  accounts: LiveRouting['accounts'];
  /** The move whose payments are listed; null for all. */
  move?: string | null;
  /** Undefined where the payments of one move cannot be listed. */
  onMove?: (move: string | null) => void;
  /** How it was found. */
  about?: ReactNode;
  /** The payments. */
  children: ReactNode;
}) {
  return (
    <>
      <MoveFigures result={result} counted={counted} />
      {about}
      {result.moves.length > 0 && <FlowDiagram moves={result.moves} accounts={accounts} move={move} onMove={onMove} />}
      {result.moved > 0 && children}
    </>
  );
}

/** The same in short, from a replay: the largest moves as sentences, and the figures. */
export function Consequence({
  state,
  days,
  accounts,
  onAgain,
}: {
  state: ReplayState;
  days: number;
  accounts: LiveRouting['accounts'];
  onAgain: () => void;
}) {
  if (state.kind !== 'done') return <ReplayProgress state={state} onAgain={onAgain} />;
  const sentences = describeConsequence(state.result, days, accountNamer(accounts));
  return (
    <div>
      <ul className="grid gap-1 pl-3 border-l-3 border-accent font-medium">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {state.result.payments > 0 && (
        <div className="mt-4">
          <MoveFigures result={state.result} counted={['Payments replayed', describePeriod(days)]} />
        </div>
      )}
    </div>
  );
}

/** The figures: how many payments move, at what fees, and with which expected success. */
function MoveFigures({ result, counted: [name, note] }: { result: Moves; counted: readonly [string, string] }) {
  const { payments, moved, reordered, unroutable, fees, conversion, earned } = result;
  const share = (part: number) => shareText(part, payments) ?? '';
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-4 mb-4">
      <Figure name={name} value={payments.toLocaleString('en')} note={note} />
      <Figure name="Change first gateway" value={moved.toLocaleString('en')} note={share(moved)} look="strong" />
      <Figure name="Change fallbacks only" value={reordered.toLocaleString('en')} note={share(reordered)} />
      {unroutable !== undefined && unroutable.payments > 0 && (
        <Figure
          name="No listed account left"
          value={unroutable.payments.toLocaleString('en')}
          note={share(unroutable.payments)}
          look="bad"
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
      {earned.map(({ currency, difference, covered, message }) => (
        <Figure
          key={currency}
          name={`Earned after fees, ${currency}, estimated`}
          value={covered === 0 ? '–' : signedHundredths(BigInt(difference))}
          note={message}
        />
      ))}
    </dl>
  );
}

const LOOKS = { plain: '', strong: 'text-accent-ink', bad: 'text-bad-ink' };

function Figure({ name, value, note, look = 'plain' }: { name: string; value: string; note: string; look?: keyof typeof LOOKS }) {
  return (
    <div className="max-w-[280px]">
      <dt className="text-ink-faint text-sm">{name}</dt>
      <dd>
        <b className={`block text-2xl tabular-nums font-semibold tracking-[-0.015em] ${LOOKS[look]}`}>{value}</b>
        <span className="text-ink-quiet text-xs">{note}</span>
      </dd>
    </div>
  );
}

/** The progress of a replay, or why there is none. */
export function ReplayProgress({ state, onAgain }: { state: ReplayState; onAgain: () => void }) {
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
        <p className="max-w-[90ch] text-ink-faint text-sm" role="status">
          Other replays are running. This one starts when one of them ends.
        </p>
      );
    case 'invalid':
      return <p className="max-w-[90ch] text-ink-faint text-sm">{NOT_COMPLETE}</p>;
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

/** `of the last 7 days` */
export function describePeriod(days: number): string {
  return days === 1 ? 'of the last day' : `of the last ${days} days`;
}

const MOVES_NAMED_MAX = 3;

/**
 * Effect of a publication on payments, in sentences: `312 payments a day move from paystack-main to flutterwave-main.`
 * Where there are too few for a day, the number of the whole period is shown.
 */
export function describeConsequence(
  { payments, moved, moves, unroutable }: Pick<ReplayResult, 'payments' | 'moved' | 'moves' | 'unroutable'>,
  days: number,
  labelOf: (accountId: string | null) => string,
): string[] {
  const period = days === 1 ? 'the last day' : `the last ${days} days`;
  if (payments === 0) return [`There were no payments in ${period}, so the impact is unknown.`];
  if (moved === 0) return [`Of the ${counted(payments, 'payment')} of ${period}, none would have gone to another account.`];
  const sentences = moves.slice(0, MOVES_NAMED_MAX).map((move) => {
    const perDay = Math.round(move.payments / days);
    const how =
      days > 1 && perDay >= 1 ? `${counted(perDay, 'payment')} a day` : `${counted(move.payments, 'payment')} of ${period}`;
    const verb = (days > 1 && perDay >= 1 ? perDay : move.payments) === 1 ? 'moves' : 'move';
    return `${how} ${verb} from ${labelOf(move.from)} to ${labelOf(move.to)}.`;
  });
  const rest = moves.slice(MOVES_NAMED_MAX).reduce((sum, move) => sum + move.payments, 0);
  if (rest > 0) sentences.push(`${counted(rest, 'more payment')} of ${period} move between other accounts.`);
  if (unroutable.payments > 0) {
    sentences.push(`${counted(unroutable.payments, 'payment')} of ${period} would have had no listed account.`);
  }
  return sentences;
}
