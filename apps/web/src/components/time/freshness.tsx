'use client';

import { IconRefresh } from '@tabler/icons-react';
import { describeExactly, describeMoment } from '#/format/moments.ts';
import classes from './freshness.module.css';
import { useNow } from './now.tsx';

const OLD_MS = 60_000;

/** The age of the data shown, and a button to refresh it. */
export function Freshness({ updatedAt, fetching, onRefresh }: { updatedAt: number; fetching: boolean; onRefresh: () => void }) {
  const now = useNow();
  const old = updatedAt > 0 && now - updatedAt > OLD_MS;
  return (
    <div className={classes.freshness} data-old={old}>
      <span title={updatedAt > 0 ? describeExactly(new Date(updatedAt)) : undefined}>
        {updatedAt > 0 ? `Updated ${describeMoment(new Date(updatedAt), now)}` : 'Loading'}
      </span>
      <button
        type="button"
        className={classes.refresh}
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
