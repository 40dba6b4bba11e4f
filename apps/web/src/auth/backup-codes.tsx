'use client';

import { useState } from 'react';
import { Button } from '../components/button/button.tsx';
import { CopyButton } from '../components/copyable/copyable.tsx';
import classes from './set-up-two-factor.module.css';

/** Backup codes, shown once. The user proceeds by confirming that they are saved. */
export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [kept, setKept] = useState(false);
  const text = codes.join('\n');
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Backup codes for Switchyard. Each works once.\n\n${text}\n`)}`;
  return (
    <div className={classes.step}>
      <p className="text-ink-quiet leading-[1.5]">
        Each of these codes signs you in once when you do not have your phone. They are shown only now: store them with your
        passwords.
      </p>
      <ul className={classes.codes} aria-label="Backup codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-x-4 gap-y-2 items-center">
        <CopyButton text={text} label="the backup codes" />
        <a className="text-sm" href={file} download="switchyard-backup-codes.txt">
          Save as a file
        </a>
      </div>
      <label className={classes.storedCodes}>
        <input type="checkbox" checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />I have saved these
        codes
      </label>
      <div>
        <Button variant="accent" disabled={!kept} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
