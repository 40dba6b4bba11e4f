'use client';

import { labelIn } from '../rules/copy.ts';
import type { Account } from '../rules/document.ts';
import { Figures, Progress } from './replay-tab.tsx';
import { describeConsequence } from './replay-text.ts';
import type { ReplayState } from './use-replay.ts';

/** Consequence for payments from a replay, in sentences and figures. */
export function Consequence({
  state,
  days,
  accounts,
  onAgain,
}: {
  state: ReplayState;
  days: number;
  accounts: readonly Account[];
  onAgain: () => void;
}) {
  if (state.kind !== 'done') return <Progress state={state} onAgain={onAgain} />;
  const sentences = describeConsequence(state.result, days, (accountId) =>
    accountId === null ? 'no account' : labelIn(accounts, accountId),
  );
  return (
    <div>
      <ul className="grid gap-1 pl-3 border-l-3 border-accent font-medium">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {state.result.payments > 0 && (
        <div className="mt-4">
          <Figures result={state.result} days={days} />
        </div>
      )}
    </div>
  );
}
