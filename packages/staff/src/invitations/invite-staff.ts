import { findMerchantRow } from '@switchyard/merchants';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { StaffContext } from '../context.ts';
import { newLinkToken } from '../links/link-token.ts';
import { insertStaffLink, revokeStaffLinks } from '../links/queries.ts';
import { grantsForLink, INVITATION_MS, type IssuedLink } from '../links/staff-link.ts';
import { changeTeam, tenantOfGrants } from '../users/change-team.ts';
import { type MerchantScope, type RoleFor, scopeCovers } from '../users/merchant-scope.ts';
import { findStaffUserByEmail } from '../users/queries.ts';
import { staffEmail, staffName } from './staff-fields.ts';

/** Asks to invite a person as staff user. */
export interface InviteStaffCommand {
  readonly email: string;
  readonly name: string;
  /** One role for a merchant, or for all of them. */
  readonly grants: readonly RoleFor[];
  /** True if the staff user has to set up a second step before anything else. */
  readonly twoFactorRequired: boolean;
  readonly merchantScope: MerchantScope;
  readonly actor: string;
}

/** The invitation with its link, returned only once, or why there is none. */
export type InviteStaffOutcome =
  | { readonly kind: 'invited'; readonly email: string; readonly name: string; readonly link: IssuedLink }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** A staff user with this address exists already and needs a grant instead. */
  | { readonly kind: 'exists'; readonly staffId: string; readonly name: string }
  | { readonly kind: 'unknown_merchant' }
  | { readonly kind: 'forbidden' };

const GRANTS_MAX = 200;

const schema = z.object({
  email: staffEmail,
  name: staffName,
  grants: z
    .array(z.unknown())
    .min(1, 'must hold at least one role')
    .max(GRANTS_MAX)
    .refine(
      (grants) =>
        new Set(grants.map((grant) => z.object({ merchantId: z.string().nullable() }).parse(grant).merchantId)).size ===
        grants.length,
      'must name each merchant once',
    ),
});

/** Creates an invitation with a link that works once, for seven days. An earlier invitation of the same address stops working. */
export async function inviteStaff(context: StaffContext, command: InviteStaffCommand): Promise<InviteStaffOutcome> {
  const parsed = schema.safeParse(command);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { email, name } = parsed.data;
  const { grants, twoFactorRequired, merchantScope, actor } = command;
  return changeTeam<InviteStaffOutcome>(context, actor, async (transaction, now) => {
    if (!grants.every(({ merchantId }) => scopeCovers(merchantScope, merchantId)))
      return { outcome: { kind: 'forbidden' }, audit: null };
    for (const { merchantId } of grants) {
      if (merchantId !== null && (await findMerchantRow(transaction, merchantId)) === null) {
        return { outcome: { kind: 'unknown_merchant' }, audit: null };
      }
    }
    const existing = await findStaffUserByEmail(transaction, email);
    if (existing !== null) {
      return { outcome: { kind: 'exists', staffId: existing.id, name: existing.name }, audit: null };
    }
    await revokeStaffLinks(transaction, { kind: 'invitation', email }, now);
    const { token, tokenHash } = newLinkToken();
    const linkId = context.newId();
    const expiresAt = new Date(now.getTime() + INVITATION_MS);
    const stored = { id: linkId, kind: 'invitation' as const, tokenHash, email, name, staffId: null, twoFactorRequired };
    await insertStaffLink(transaction, {
      ...stored,
      grants: grantsForLink(grants),
      createdBy: actor,
      createdAt: now,
      expiresAt,
    });
    const after = { email, name, twoFactorRequired, grants: grants.map(({ merchantId, role }) => ({ merchantId, role })) };
    return {
      outcome: { kind: 'invited', email, name, link: { linkId, token, expiresAt } },
      audit: { action: 'staff.invited', objectType: 'invitation', objectId: linkId, before: null, after },
      tenantId: tenantOfGrants(grants),
    };
  });
}
