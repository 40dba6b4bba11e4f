'use client';

import type { ReactNode } from 'react';
import { groupDecimal } from '#/format/amounts.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { LiveRouting } from '../queries/use-routing.ts';
import { shareText, signedHundredths } from '../rules/copy.ts';
import { FlowDiagram, type ShownMove } from './flow-diagram.tsx';
import classes from './what-moves.module.css';

/** Changes that other rules make to a number of payments: found by a replay, or in shadow. */
export type Moves = Omit<
  NonNullable<RouterOutputs['routing']['drafts']['shadow']['report']>['summary'],
  'same' | 'unreadable' | 'moves'
> & {
  readonly moves: readonly ShownMove[];
  /** Payments that no listed account is left for; none in shadow, which counts them as moved. */
  readonly unroutable?: { readonly payments: number };
  /** Earnings after fees that the draft would have added or lost; only of a replay. */
  readonly earned?: readonly {
    readonly currency: string;
    readonly difference: number;
    readonly covered: number;
    readonly message: string;
  }[];
};

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

/** The figures: how many payments move, at what fees, and with which expected success. */
export function MoveFigures({ result, counted: [name, note] }: { result: Moves; counted: readonly [string, string] }) {
  const { payments, moved, reordered, unroutable, fees, conversion, earned = [] } = result;
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

function Figure({ name, value, note, look }: { name: string; value: string; note: string; look?: 'strong' | 'bad' }) {
  return (
    <div className={classes.figure} data-look={look}>
      <dt>{name}</dt>
      <dd>
        <b>{value}</b>
        <span>{note}</span>
      </dd>
    </div>
  );
}
