'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { LinkShown } from './link-shown.tsx';
import { Roles } from './roles.tsx';
import classes from './team-page.module.css';
import type { Invitation, ShownLink } from './use-team.ts';

/** Open invitations. */
export function InvitationList({ invitations }: { invitations: readonly Invitation[] }) {
  const [link, setLink] = useState<ShownLink | null>(null);
  return (
    <section className="mt-8" aria-labelledby="invitations">
      <h2 className="mb-2 text-lg font-semibold" id="invitations">
        Invited
      </h2>
      <ul className="-mx-3 border-t border-line">
        {invitations.map((invitation) => (
          <Line key={invitation.linkId} invitation={invitation} onLink={setLink} />
        ))}
      </ul>
      {link !== null && (
        <Dialog title={`A new link for ${link.name}`} locked onClose={() => setLink(null)}>
          <LinkShown link={link} purpose="invitation" onDone={() => setLink(null)} />
        </Dialog>
      )}
    </section>
  );
}

function Line({ invitation, onLink }: { invitation: Invitation; onLink: (link: ShownLink) => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const now = useNow();
  const settled = { onSettled: () => queries.invalidateQueries({ queryKey: trpc.team.list.queryKey() }) };
  const failed = ({ message }: { message: string }) => void showToast({ text: message, tone: 'bad' });
  const renew = useMutation(trpc.team.renewInvitation.mutationOptions({ ...settled, onSuccess: onLink, onError: failed }));
  const restore = useMutation(trpc.team.restoreInvitation.mutationOptions(settled));
  const { linkId, name, email, roles, invitedBy, invitedAt, expiresAt, manageable } = invitation;
  const withdraw = useMutation(
    trpc.team.withdrawInvitation.mutationOptions({
      ...settled,
      onError: failed,
      onSuccess: () => {
        const action = { label: 'Undo', run: () => restore.mutateAsync({ linkId }) };
        showToast({ text: `The invitation of ${name} was revoked. The link no longer works.`, action });
      },
    }),
  );
  const over = expiresAt.getTime() < now;
  return (
    <li className={classes.row} data-off={over}>
      <div className="min-w-0">
        <span className={classes.invited}>{name}</span>
        <span className="block text-ink-faint text-xs truncate">{email}</span>
      </div>
      <Roles roles={roles} />
      <p className="text-ink-faint text-xs">
        By {invitedBy} <Moment value={invitedAt} />
        <br />
        {over ? 'Expired ' : 'Expires '}
        <Moment value={expiresAt} />
      </p>
      <div className="flex flex-wrap gap-2 justify-end @max-[759px]/page:justify-start">
        {manageable && (
          <>
            <Button loading={renew.isPending} onClick={() => renew.mutate({ linkId })} aria-label={`New link for ${name}`}>
              New link
            </Button>
            <Button
              loading={withdraw.isPending}
              onClick={() => withdraw.mutate({ linkId })}
              aria-label={`Revoke the invitation of ${name}`}
            >
              Revoke
            </Button>
          </>
        )}
      </div>
    </li>
  );
}
