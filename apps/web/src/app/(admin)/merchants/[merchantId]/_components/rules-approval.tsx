'use client';

import { RulesApproval, WaiverRequest } from '#/components/rules-approval/rules-approval.tsx';
import classes from './merchant-page.module.css';
import type { Profile } from './profile.ts';

/** The setting by which the merchant's rules need a second person before they are published. */
export function ApprovalOfRules({ profile: { merchantId, name } }: { profile: Profile }) {
  const merchant = { merchantId, name };
  return (
    <section className={classes.part} aria-label="Approval of rules">
      <h2 className={classes.heading}>Approval of rules</h2>
      <WaiverRequest merchant={merchant} />
      <RulesApproval merchant={merchant} />
    </section>
  );
}
