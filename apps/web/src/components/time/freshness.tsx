'use client';

import { IconRefresh } from '@tabler/icons-react';
import { toServerTime } from '#/clock/server-clock.ts';
import { describeLength } from '#/format/moments.ts';
import { useIsBlind } from '#/liveness/blindness.ts';
import { Moment } from './moment.tsx';
import { useNow } from './now.tsx';

const OLD_MS = 60_000;

/** The age of the data shown, and a button to refresh it. `updatedAt` is by the browser's clock, as queries have it. */
export function Freshness({ updatedAt, fetching, onRefresh }: { updatedAt: number; fetching: boolean; onRefresh: () => void }) {
  const now = useNow();
  const isBlind = useIsBlind();
  const readAt = toServerTime(updatedAt);
  const old = updatedAt > 0 && (isBlind || now - readAt > OLD_MS);
  return (
    <div
      className="flex items-center gap-1 text-ink-faint text-xs data-[old=true]:text-wait-ink data-[old=true]:font-medium max-phone:[order:-1]"
      data-old={old}
    >
      <span>
        {updatedAt === 0 && 'Loading'}
        {updatedAt > 0 &&
          (isBlind ? (
            <Moment value={new Date(readAt)} describe={describeBlindFor} />
          ) : (
            <>
              Updated <Moment value={new Date(readAt)} />
            </>
          ))}
      </span>
      <button
        type="button"
        className="grid place-items-center w-8 h-8 rounded-lg text-inherit hover:bg-ground-hover hover:text-ink"
        onClick={onRefresh}
        aria-label="Refresh"
        title="Refresh now"
        data-busy={fetching}
      >
        <IconRefresh size={16} stroke={1.7} aria-hidden="true" />
      </button>
    </div>
  );
}

function describeBlindFor(readAt: Date, nowMs: number): string {
  return `Not updated for ${describeLength(Math.max(0, nowMs - readAt.getTime()))}`;
}
