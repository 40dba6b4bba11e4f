'use client';

import { useNow } from '../../../../components/now.tsx';
import { describeMoment } from '../../../../format/moments.ts';
import classes from './live-mark.module.css';
import type { Connection } from './use-health.ts';

/** Whether the page follows what happens; when it does not, how old it is. */
export function LiveMark({ connection, heardAt }: { connection: Connection; heardAt: number }) {
  const now = useNow();
  const said = heardAt === 0 ? '' : describeMoment(new Date(heardAt), now);
  const since = said === '' ? '' : connection === 'live' ? `, last change ${said}` : `, shown is from ${said}`;
  return (
    <p className={classes.mark} data-connection={connection}>
      <span className={classes.dot} aria-hidden="true" />
      <span>
        <span role="status">{WORDS[connection]}</span>
        {since}
      </span>
    </p>
  );
}

const WORDS: Record<Connection, string> = { live: 'Live', connecting: 'Connecting', lost: 'Connection lost' };
