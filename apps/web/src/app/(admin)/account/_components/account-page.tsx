'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { followZone } from '#/app-shell/zone-cookie.tsx';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import type { SelectOption } from '#/components/select/list-parts.tsx';
import { Select, zoneOptions } from '#/components/select/select.tsx';
import { SessionList } from '#/components/session-list/session-list.tsx';
import { useNow } from '#/components/time/now.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeRoles } from '#/copy/roles.ts';
import { formatTimestamp } from '#/format/moments.ts';
import { WORKSPACE_ZONE } from '#/format/zone.ts';
import { useTRPC } from '#/trpc/client.tsx';

const PasswordForm = dynamic(() => import('./account-forms.tsx').then((module) => module.PasswordForm));

/** The viewer's sign-in: two-factor, password and sessions. */
export function AccountPage() {
  const trpc = useTRPC();
  const now = useNow();
  const { data: me } = useQuery(trpc.me.queryOptions());
  return (
    <>
      <PageHead title="Your account" />
      <div className="grid gap-8 max-w-[720px]">
        <section
          className="grid gap-3 min-w-0 pt-5 border-t border-line text-sm [scroll-margin-top:90px] first:pt-0 first:border-t-0"
          aria-label="Profile"
        >
          <DescriptionList>
            <Description name="Name">{me?.name}</Description>
            <Description name="E-mail address">{me?.email}</Description>
            <Description name="Roles">{me && describeRoles(me.grants)}</Description>
          </DescriptionList>
        </section>
        <section
          className="grid gap-3 min-w-0 pt-5 border-t border-line text-sm [scroll-margin-top:90px] first:pt-0 first:border-t-0"
          aria-labelledby="time-zone"
        >
          <h2 className="text-lg font-semibold" id="time-zone">
            Time zone
          </h2>
          {me && <TimeZone timeZone={me.timeZone} now={now} />}
        </section>
        <section
          className="grid gap-3 min-w-0 pt-5 border-t border-line text-sm [scroll-margin-top:90px] first:pt-0 first:border-t-0"
          aria-labelledby="two-factor"
        >
          <h2 className="text-lg font-semibold" id="two-factor">
            Two-factor sign-in
          </h2>
          {me && <TwoFactor enabled={me.twoFactorEnabled} />}
        </section>
        <section
          className="grid gap-3 min-w-0 pt-5 border-t border-line text-sm [scroll-margin-top:90px] first:pt-0 first:border-t-0"
          aria-labelledby="password"
        >
          <h2 className="text-lg font-semibold" id="password">
            Password
          </h2>
          <ChangePassword />
        </section>
        <section
          className="grid gap-3 min-w-0 pt-5 border-t border-line text-sm [scroll-margin-top:90px] first:pt-0 first:border-t-0"
          aria-labelledby="sessions"
        >
          <h2 className="text-lg font-semibold" id="sessions">
            Active sessions
          </h2>
          <OwnSessions />
        </section>
      </div>
    </>
  );
}

/** Changes the viewer's password; every other session ends. */
export function ChangePassword() {
  const [open, setOpen] = useState(false);
  if (open) return <PasswordForm onClose={() => setOpen(false)} />;
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setOpen(true)}>Change your password</Button>
    </div>
  );
}

/** The viewer's sessions, with a button to end others. */
function OwnSessions() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data, error } = useQuery(trpc.account.sessions.queryOptions());
  const place = useRef<HTMLDivElement>(null);
  const wanted = useSearchParams().get('at') === 'sessions';
  useEffect(() => {
    if (wanted) place.current?.scrollIntoView({ block: 'center' });
  }, [wanted]);
  const end = useMutation(
    trpc.account.endSessions.mutationOptions({
      onSuccess: ({ count }) => showToast({ text: count === 1 ? '1 session was ended.' : `${count} sessions were ended.` }),
      onError: ({ message }) => showToast({ text: message, tone: 'bad' }),
      onSettled: () => queries.invalidateQueries({ queryKey: trpc.account.sessions.queryKey() }),
    }),
  );
  const others = (data ?? []).filter(({ current }) => !current).length;
  return (
    <div ref={place} className="grid gap-3">
      <p className="max-w-[560px] text-ink-quiet">
        Sessions end after 30 minutes without activity, and after 12 hours at the latest.
      </p>
      {error !== null && data === undefined && <Refusal message={error.message} />}
      <SessionList sessions={data} busy={end.isPending} onEnd={(sessionId) => end.mutate({ sessionId })} />
      {others > 0 && (
        <div className="flex flex-wrap gap-2">
          <Button variant="danger" loading={end.isPending} onClick={() => end.mutate({ sessionId: null })}>
            {others === 1 ? 'Sign out of the other session' : `Sign out of ${others} other sessions`}
          </Button>
        </div>
      )}
    </div>
  );
}

const WORKSPACE = 'workspace';

/** The zone that the viewer reads times in, kept with their account. */
function TimeZone({ timeZone, now }: { timeZone: string | null; now: number }) {
  const trpc = useTRPC();
  const [zones, setZones] = useState<readonly SelectOption[]>(timeZone === null ? [] : [{ value: timeZone, label: timeZone }]);
  // After the first paint, and in the browser alone: the server may know other zones.
  useEffect(() => setZones(zoneOptions()), []);
  const options = [{ value: WORKSPACE, label: `Workspace default (${WORKSPACE_ZONE})` }, ...zones];
  const change = useMutation(
    trpc.account.setTimeZone.mutationOptions({
      onSuccess: (saved) => {
        followZone(saved.timeZone);
        window.location.reload();
      },
    }),
  );
  return (
    <div className="grid gap-2 max-w-[360px]">
      <Select
        label="Time zone"
        options={options}
        value={timeZone ?? WORKSPACE}
        disabled={change.isPending}
        description={`Used for every time in the dashboard. Now: ${formatTimestamp(new Date(now)).replace(/\.\d{3}/, '')}.`}
        onChange={(zone) => change.mutate({ timeZone: zone === WORKSPACE ? null : zone })}
      />
      <Refusal message={change.error?.message ?? null} />
    </div>
  );
}

const SetUpTwoFactor = dynamic(() => import('#/auth/set-up-two-factor.tsx').then((module) => module.SetUpTwoFactor));
const NewBackupCodes = dynamic(() => import('./account-forms.tsx').then((module) => module.NewBackupCodes));
const DisableTwoFactor = dynamic(() => import('./account-forms.tsx').then((module) => module.DisableTwoFactor));

type Doing = 'nothing' | 'setting_up' | 'new_codes' | 'turning_off';

/** The state of two-factor sign-in, with its actions. */
function TwoFactor({ enabled }: { enabled: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [doing, setDoing] = useState<Doing>('nothing');
  const close = () => setDoing('nothing');
  function done(text: string) {
    close();
    showToast({ text });
    void queries.invalidateQueries({ queryKey: trpc.me.queryKey() });
    void queries.invalidateQueries({ queryKey: trpc.account.sessions.queryKey() });
  }
  if (!enabled) {
    return (
      <>
        {/* While it is being set up, it is on before the last step is done. */}
        {doing !== 'setting_up' && (
          <p className="max-w-[560px] text-ink-quiet">
            <Badge tone="wait" warns>
              Off
            </Badge>{' '}
            You sign in with a password only. With two-factor sign-in, a stolen password is not enough.
          </p>
        )}
        {doing === 'setting_up' ? (
          <div className="max-w-[560px] p-5 border border-line rounded-xl">
            <SetUpTwoFactor onDone={() => done('Two-factor sign-in is on.')} />
          </div>
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button variant="accent" onClick={() => setDoing('setting_up')}>
              Set up two-factor sign-in
            </Button>
          </div>
        )}
      </>
    );
  }
  return (
    <>
      <p className="max-w-[560px] text-ink-quiet">
        <Badge tone="good">On</Badge> Signing in asks for your password and a code from your app.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setDoing('new_codes')}>New backup codes</Button>
        <Button variant="danger" onClick={() => setDoing('turning_off')}>
          Turn off
        </Button>
      </div>
      {doing === 'new_codes' && (
        <Dialog title="New backup codes" locked onClose={close}>
          <NewBackupCodes onDone={() => done('The new backup codes are active. The old ones no longer work.')} />
        </Dialog>
      )}
      {doing === 'turning_off' && (
        <Dialog title="Turn two-factor sign-in off" onClose={close}>
          <DisableTwoFactor onDone={() => done('Two-factor sign-in is off.')} onClose={close} />
        </Dialog>
      )}
    </>
  );
}
