import { permissionsOf, testPermissionsOf } from '@switchyard/staff/permissions';
import { account } from './account.ts';
import { alerts } from './alerts.ts';
import { attention } from './attention.ts';
import { audit } from './audit.ts';
import { customers } from './customers.ts';
import { disputes } from './disputes.ts';
import { fees } from './fees.ts';
import { gateways } from './gateways.ts';
import { health } from './health.ts';
import { incidents } from './incidents.ts';
import { journal } from './journal.ts';
import { keys } from './keys.ts';
import { machineTokens } from './machine-tokens.ts';
import { merchants } from './merchants.ts';
import { monthClose } from './month-close.ts';
import { payments } from './payments.ts';
import { privacy } from './privacy.ts';
import { router, signedIn } from './procedure.ts';
import { provisioning } from './provisioning.ts';
import { reconciliation } from './reconciliation.ts';
import { refunds } from './refunds.ts';
import { requests } from './requests.ts';
import { routing } from './routing.ts';
import { savedViews } from './saved-views.ts';
import { scheduledReports } from './scheduled-reports.ts';
import { settlements } from './settlements.ts';
import { setup, switchOver } from './setup.ts';
import { singleSignOn } from './single-sign-on.ts';
import { system } from './system.ts';
import { team } from './team.ts';
import { webhooks } from './webhooks.ts';

/** All tRPC procedures of the dashboard. Each checks the caller's permission for the merchants in question. */
export const appRouter = router({
  /** The signed-in staff user with their roles. */
  me: signedIn.query(({ ctx: { session } }) => ({
    staffId: session.staffId,
    name: session.name,
    email: session.email,
    twoFactorEnabled: session.twoFactorEnabled,
    mustSetUpTwoFactor: session.mustSetUpTwoFactor,
    timeZone: session.timeZone,
    grants: session.grants,
    /** The permissions of each grant, and more in test mode, so that a page offers no action that would be refused. */
    access: session.grants.map(({ merchantId, role }) => ({
      merchantId,
      permissions: permissionsOf(role),
      inTestMode: testPermissionsOf(role),
    })),
    endsAt: session.endsAt,
  })),
  account,
  team,
  singleSignOn,
  provisioning,
  audit,
  attention,
  alerts,
  incidents,
  system,
  merchants,
  setup,
  keys,
  requests,
  webhooks,
  payments,
  customers,
  refunds,
  settlements,
  disputes,
  fees,
  journal,
  monthClose,
  savedViews,
  scheduledReports,
  routing,
  health,
  reconciliation,
  machineTokens,
  gateways,
  switchOver,
  privacy,
});

/** Type of the router, for clients. */
export type AppRouter = typeof appRouter;
