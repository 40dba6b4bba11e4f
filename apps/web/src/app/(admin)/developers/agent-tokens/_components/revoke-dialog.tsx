'use client';

import { useMutation } from '@tanstack/react-query';
import { RevokeTokenDialog } from '#/app/(admin)/developers/_components/revoke-token-dialog.tsx';
import { useTRPC } from '#/trpc/client.tsx';
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
  const revoke = useMutation(trpc.agentTokens.revoke.mutationOptions({ onSuccess: onDone }));
  return (
    <RevokeTokenDialog token={known} revoke={() => revoke.mutateAsync({ tokenId: known.tokenId })} onClose={onClose}>
      <code>agt_…{known.lastFour}</code>
      {!isOwn && ` of ${known.staffName}`} stops working immediately. Drafts that the agent saved remain. This cannot be undone;
      you can create a new one.
    </RevokeTokenDialog>
  );
}
