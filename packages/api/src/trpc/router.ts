import { permissionsOf } from '@switchyard/merchants';
import { account } from './account.ts';
import { audit } from './audit.ts';
import { gateways } from './gateways.ts';
import { health } from './health.ts';
import { payments } from './payments.ts';
import { permitted, router, signedIn } from './procedure.ts';
import { reconciliation } from './reconciliation.ts';
import { refunds } from './refunds.ts';
import { routing } from './routing.ts';
import { system } from './system.ts';
import { team } from './team.ts';

export const appRouter = router({
  /** Who is signed in, and as what. */
  me: signedIn.query(({ ctx: { session } }) => ({
    staffId: session.staffId,
    name: session.name,
    email: session.email,
    twoFactorEnabled: session.twoFactorEnabled,
    mustSetUpTwoFactor: session.mustSetUpTwoFactor,
    grants: session.grants,
    /** What each grant allows, so that a page offers nothing that would be refused. */
    access: session.grants.map(({ merchantId, role }) => ({ merchantId, permissions: permissionsOf(role) })),
    endsAt: session.endsAt,
  })),
  account,
  team,
  audit,
  system,
  merchants: router({
    /** The merchants the caller may see, by name. */
    list: permitted('merchant:read').query(({ ctx }) => {
      const { configuration } = ctx.switchyard.resources;
      return ctx.merchantIds
        .flatMap((merchantId) => configuration.merchant(merchantId)?.merchant ?? [])
        .map(({ id, name, merchantNumber }) => ({ merchantId: id, name, merchantNumber }))
        .sort((a, b) => a.name.localeCompare(b.name, 'en'));
    }),
  }),
  payments,
  refunds,
  routing,
  health,
  reconciliation,
  gateways,
});

export type AppRouter = typeof appRouter;
