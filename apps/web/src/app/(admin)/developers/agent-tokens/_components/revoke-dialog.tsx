'use client';

import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../../../components/button.tsx';
import { Dialog, DialogActions } from '../../../../../components/dialog/dialog.tsx';
import { Moment } from '../../../../../components/moment.tsx';
import { Refusal } from '../../../../../components/refusal.tsx';
import { showToast } from '../../../../../components/toasts/toast-store.ts';
import { useTRPC } from '../../../../../trpc/client.tsx';
import type { AgentTokenRow } from './agent-token-row.ts';

/** Confirmation before a token is revoked permanently. */
export function RevokeDialog({
  known,
  isOwn,
  onDone,
  onClose,
}: {
  known: AgentTokenRow;
  isOwn: boolean;
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.agentTokens.revoke.mutationOptions());

  async function confirm() {
    await revoke.mutateAsync({ tokenId: known.tokenId });
    onDone();
    onClose();
    showToast({ text: `Token “${known.name}” was revoked.` });
  }

  return (
    <Dialog title={`Revoke “${known.name}”?`} onClose={onClose}>
      <p>
        <code>agt_…{known.lastFour}</code>
        {!isOwn && ` of ${known.staffName}`} stops working immediately. Drafts that the agent saved remain. This cannot be undone;
        you can issue a new one.
      </p>
      <p>
        {known.lastUsedAt === null ? (
          'It has never been used.'
        ) : (
          <>
            It was last used <Moment value={known.lastUsedAt} />.
          </>
        )}
      </p>
      <Refusal message={revoke.error?.message ?? null} />
      <DialogActions onCancel={onClose}>
        <Button tone="danger" onClick={() => void confirm().catch(() => undefined)} busy={revoke.isPending}>
          Revoke “{known.name}”
        </Button>
      </DialogActions>
    </Dialog>
  );
}
