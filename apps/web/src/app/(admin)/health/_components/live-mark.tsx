'use client';

import { Moment } from '#/components/time/moment.tsx';
import { describeMoment } from '#/format/moments.ts';
import classes from './live-mark.module.css';
import type { Connection } from './use-health.ts';

/** State of the connection, and the age of the data on the page. */
export function LiveMark({ connection, lastMessageAt }: { connection: Connection; lastMessageAt: number }) {
  return (
    <p className={classes.mark} data-connection={connection}>
      <span className={classes.dot} aria-hidden="true" />
      <span>
        <span role="status">{LABELS[connection]}</span>
        {lastMessageAt > 0 && (
          <>
            {connection === 'live' ? ', last change ' : ', data from '}
            <Moment
              value={new Date(lastMessageAt)}
              describe={(value, nowMs) => describeMoment(value, Math.max(nowMs, lastMessageAt))}
            />
          </>
        )}
      </span>
    </p>
  );
}

const LABELS: Record<Connection, string> = { live: 'Live', connecting: 'Connecting', lost: 'Connection lost' };
