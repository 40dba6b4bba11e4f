import { merchantScopeOf, type StaffSession } from '@switchyard/staff/permissions';
import {
  type IssueScimTokenOutcome,
  issueScimToken,
  listProvisioningProviders,
  revokeScimToken,
} from '@switchyard/staff/provisioning';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { SCIM_PATH } from '../http/request-kinds.ts';
import { missing } from './inputs.ts';
import { permitted, router } from './procedure.ts';

const uuid = z.uuid().toLowerCase();
const managing = permitted('team:manage');

interface Caller {
  readonly session: StaffSession;
  readonly merchantIds: readonly string[];
}

const isOwner = ({ session, merchantIds }: Caller) => merchantScopeOf(session, 'team:manage', merchantIds).everywhere;

/** The actor, who has to own the workspace: by a token a provider gives whatever role its groups are mapped to. */
function ownerOf(caller: Caller): string {
  if (isOwner(caller)) return `staff:${caller.session.staffId}`;
  throw new TRPCError({ code: 'FORBIDDEN', message: 'Only owners of all merchants set up provisioning.' });
}

/** tRPC procedures of the tokens by which providers provision people. */
export const provisioning = router({
  /** The providers with their tokens, for owners of all merchants, and the address that they are given. */
  list: managing.query(async ({ ctx }) => {
    const { switchyard } = ctx;
    const providers = isOwner(ctx) ? await listProvisioningProviders(switchyard) : [];
    return { address: `${switchyard.resources.publicUrl}${SCIM_PATH}`, providers };
  }),
  /** Creates a token; it is only in this response. */
  issueToken: managing
    .input(z.object({ providerId: uuid }))
    .mutation(async ({ ctx, input }): Promise<Exclude<IssueScimTokenOutcome, { kind: 'not_found' }>> => {
      const outcome = await issueScimToken(ctx.switchyard, { ...input, actor: ownerOf(ctx) });
      return outcome.kind === 'not_found' ? missing('There is no such provider any more.') : outcome;
    }),
  /** Ends a token at once. */
  revokeToken: managing.input(z.object({ tokenId: uuid })).mutation(async ({ ctx, input }) => {
    const outcome = await revokeScimToken(ctx.switchyard, { ...input, actor: ownerOf(ctx) });
    return outcome.kind === 'not_found' ? missing('There is no such token, or it was revoked.') : outcome;
  }),
});
