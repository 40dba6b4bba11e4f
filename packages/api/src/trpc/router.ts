import { permissionsOf } from '@switchyard/merchants';
import { gateways } from './gateways.ts';
import { health } from './health.ts';
import { payments } from './payments.ts';
import { permitted, router, signedIn } from './procedure.ts';
import { routing } from './routing.ts';
import { system } from './system.ts';

export const appRouter = router({
  /** Who is signed in, and as what. */
  me: signedIn.query(({ ctx: { session } }) => ({
    staffId: session.staffId,
    name: session.name,
    email: session.email,
    twoFactorEnabled: session.twoFactorEnabled,
    grants: session.grants,
    /** What each grant allows, so that a page offers nothing that would be refused. */
    access: session.grants.map(({ merchantId, role }) => ({ merchantId, permissions: permissionsOf(role) })),
    endsAt: session.endsAt,
  })),
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
  routing,
  health,
  gateways,
});

export type AppRouter = typeof appRouter;
