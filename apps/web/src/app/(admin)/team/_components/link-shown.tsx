'use client';

import { Button } from '#/components/button/button.tsx';
import { CopyButton } from '#/components/copyable/copyable.tsx';
import { DialogActions } from '#/components/dialog/dialog.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeDayAndClock } from '#/format/moments.ts';
import type { ShownLink } from './use-team.ts';

/** A one-time link, shown once to its creator, with the state of its e-mail. */
export function LinkShown({
  link,
  purpose,
  onDone,
}: {
  link: ShownLink;
  purpose: 'invitation' | 'password_reset';
  onDone: () => void;
}) {
  const { address, expiresAt, email, name, delivery } = link;
  const use = purpose === 'invitation' ? 'chooses a password and is in' : 'chooses a new password';
  return (
    <div className="grid gap-3.5 text-sm">
      <p className="text-ink-quiet" role="status">
        {delivery === 'sent' && `It was sent to ${email}. You can also give it to ${name} yourself.`}
        {delivery === 'failed' &&
          `The e-mail to ${email} could not be sent. Give the link to ${name} yourself, over a channel you both trust.`}
        {delivery === 'not_set_up' &&
          `This installation sends no e-mail: nothing was sent. Give the link to ${name} yourself, over a channel you both trust.`}
      </p>
      <div className="flex gap-3 items-center px-3 py-2.5 border border-line-strong rounded-xl bg-ground-quiet">
        <code className="flex-1 min-w-0 text-xs wrap-anywhere">{address}</code>
        <CopyButton text={address} label="the link" />
      </div>
      <p className="text-ink-quiet">
        The first person to open it {use}. It works once, until <Moment value={expiresAt} describe={describeDayAndClock} />, and
        is shown only now.
      </p>
      <DialogActions>
        <Button variant="accent" onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
