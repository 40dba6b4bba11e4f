'use client';

import { IconRefresh } from '@tabler/icons-react';
import { Moment } from './moment.tsx';
import { useNow } from './now.tsx';

const OLD_MS = 60_000;

/** The age of the data shown, and a button to refresh it. */
export function Freshness({ updatedAt, fetching, onRefresh }: { updatedAt: number; fetching: boolean; onRefresh: () => void }) {
  const now = useNow();
  const old = updatedAt > 0 && now - updatedAt > OLD_MS;
  return (
    <div
      className="flex items-center gap-1 text-ink-faint text-xs data-[old=true]:text-wait-ink max-phone:[order:-1]"
      data-old={old}
    >
      <span>
        {updatedAt > 0 ? (
          <>
            Updated <Moment value={new Date(updatedAt)} />
          </>
        ) : (
          'Loading'
        )}
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
