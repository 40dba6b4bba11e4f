'use client';

import { RulesApproval, RulesWaiverRequest } from '#/components/rules-approval/rules-approval.tsx';
import type { Profile } from './profile.ts';

/** The setting by which the merchant's rules need a second person before they are published. */
export function ApprovalOfRules({ profile: { merchantId, name } }: { profile: Profile }) {
  const merchant = { merchantId, name };
  return (
    <section className="grid gap-2.5 justify-items-start mt-8 text-sm" aria-label="Approval of rules">
      <h2 className="text-base font-semibold">Approval of rules</h2>
      <RulesWaiverRequest merchant={merchant} />
      <RulesApproval merchant={merchant} />
    </section>
  );
}
