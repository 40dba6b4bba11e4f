'use client';

import { Button } from '#/components/button/button.tsx';
import { NOT_COMPLETE } from '../rules/copy.ts';
import type { ReplayState } from './use-replay.ts';

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
