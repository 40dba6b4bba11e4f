'use client';

import { useQuery } from '@tanstack/react-query';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { useNow } from '#/components/time/now.tsx';
import { describeRoles } from '#/copy/roles.ts';
import { useTRPC } from '#/trpc/client.tsx';
import classes from './account-page.module.css';
import { ChangePassword } from './change-password.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { TimeZone } from './time-zone.tsx';
import { TwoFactor } from './two-factor.tsx';

/** The viewer's sign-in: two-factor, password and sessions. */
export function AccountPage() {
  const trpc = useTRPC();
  const now = useNow();
  const { data: me } = useQuery(trpc.me.queryOptions());
  return (
    <>
      <PageHead title="Your account" />
      <div className="grid gap-8 max-w-[720px]">
        <section className={classes.section} aria-label="Profile">
          <DescriptionList>
            <Description name="Name">{me?.name}</Description>
            <Description name="E-mail address">{me?.email}</Description>
            <Description name="Roles">{me && describeRoles(me.grants)}</Description>
          </DescriptionList>
        </section>
        <section className={classes.section} aria-labelledby="time-zone">
          <h2 className="text-lg font-semibold" id="time-zone">
            Time zone
          </h2>
          {me && <TimeZone timeZone={me.timeZone} now={now} />}
        </section>
        <section className={classes.section} aria-labelledby="two-factor">
          <h2 className="text-lg font-semibold" id="two-factor">
            Two-factor sign-in
          </h2>
          {me && <TwoFactor enabled={me.twoFactorEnabled} />}
        </section>
        <section className={classes.section} aria-labelledby="password">
          <h2 className="text-lg font-semibold" id="password">
            Password
          </h2>
          <ChangePassword />
        </section>
        <section className={classes.section} aria-labelledby="sessions">
          <h2 className="text-lg font-semibold" id="sessions">
            Active sessions
          </h2>
          <OwnSessions />
        </section>
      </div>
    </>
  );
}
