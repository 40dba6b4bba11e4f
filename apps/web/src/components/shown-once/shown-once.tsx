'use client';

import { IconEyeOff } from '@tabler/icons-react';
import { CopyButton } from '../copyable/copyable.tsx';
import { ScrollArea } from '../scroll-area/scroll-area.tsx';
import classes from './shown-once.module.css';

/** A new secret, shown only once. */
export function ShownOnce({ secret, label, advice }: { secret: string; label: string; advice: string }) {
  return (
    <div className={classes.once} role="status">
      <p className={classes.warning}>
        <IconEyeOff size={16} stroke={1.8} aria-hidden="true" />
        Copy it now: it is not shown again.
      </p>
      <div className={classes.line}>
        <ScrollArea className={classes.secret} label={label}>
          <code>{secret}</code>
        </ScrollArea>
        <CopyButton text={secret} label={label} />
      </div>
      <p className={classes.advice}>{advice}</p>
    </div>
  );
}
