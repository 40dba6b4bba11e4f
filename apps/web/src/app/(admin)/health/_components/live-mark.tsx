'use client';

import { useNow } from '#/components/time/now.tsx';
import { describeMoment } from '#/format/moments.ts';
import classes from './live-mark.module.css';
import type { Connection } from './use-health.ts';

/** State of the connection, and the age of the data on the page. */
export function LiveMark({ connection, lastMessageAt }: { connection: Connection; lastMessageAt: number }) {
  const now = Math.max(useNow(), lastMessageAt);
  const said = lastMessageAt === 0 ? '' : describeMoment(new Date(lastMessageAt), now);
  const since = said === '' ? '' : connection === 'live' ? `, last change ${said}` : `, shown is from ${said}`;
  return (
    <p className={classes.mark} data-connection={connection}>
      <span className={classes.dot} aria-hidden="true" />
      <span>
        <span role="status">{LABELS[connection]}</span>
        {since}
      </span>
    </p>
  );
}

const LABELS: Record<Connection, string> = { live: 'Live', connecting: 'Connecting', lost: 'Connection lost' };
