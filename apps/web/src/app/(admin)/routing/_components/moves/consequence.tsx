'use client';

import type { LiveRouting } from '../queries/use-routing.ts';
import { ReplayProgress } from '../replay/replay-progress.tsx';
import type { ReplayState } from '../replay/use-replay.ts';
import { accountNamer } from '../rules/copy.ts';
import { describeConsequence, describePeriod } from './describe-consequence.ts';
import { MoveFigures } from './what-moves.tsx';

/** Consequence for payments from a replay, in sentences and figures. */
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
