'use client';

import { IconLogout, IconMoon, IconUserCog } from '@tabler/icons-react';
import Link from 'next/link';
import { useState } from 'react';
import { Popup } from '../components/popup/popup.tsx';
import { viewerZone } from '../format/zone.ts';
import { hrefIn } from '../scope/scope.ts';
import { useScope } from '../scope/use-scope.ts';
import { toggleColourScheme } from '../theme/colour-scheme.tsx';
import bar from './bar-button.module.css';
import { signOut } from './sign-out.ts';
import classes from './user-menu.module.css';

/** The signed-in staff user, and signing out. */
export function UserMenu({ name, email, role }: { name: string; email: string; role: string }) {
  const face = (
    <>
      <span className="sr-only">Account: </span>
      <span
        className="grid place-items-center w-7 h-7 rounded-full bg-accent-soft text-accent-ink text-xs font-semibold"
        title={name}
      >
        {initials(name)}
      </span>
    </>
  );
  return (
    <Popup
      label="Account"
      align="end"
      width={248}
      button={{ className: bar.button, children: face }}
      content={(close) => (
        <>
          <div className={classes.identity}>
            <strong>{name}</strong>
            <span>{email}</span>
            <span>{role}</span>
            <span>Times in {viewerZone()}</span>
          </div>
          <AccountLink onGo={close} />
          <Scheme />
          <SignOut />
        </>
      )}
    />
  );
}

function AccountLink({ onGo }: { onGo: () => void }) {
  const scope = useScope();
  return (
    <Link href={hrefIn(scope, '/account')} className={classes.entry} onClick={onGo}>
      <IconUserCog size={16} stroke={1.7} aria-hidden="true" />
      Your account
    </Link>
  );
}

/** On a narrow bar. */
function Scheme() {
  return (
    <button type="button" className={`${classes.entry} ${classes.narrow}`} onClick={toggleColourScheme}>
      <IconMoon size={16} stroke={1.7} aria-hidden="true" />
      Light or dark
    </button>
  );
}

function SignOut() {
  const [leaving, setLeaving] = useState(false);
  function leave() {
    setLeaving(true);
    void signOut();
  }
  return (
    <button type="button" className={classes.entry} onClick={leave} disabled={leaving}>
      <IconLogout size={16} stroke={1.7} aria-hidden="true" />
      Sign out
    </button>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return `${words[0]?.[0] ?? ''}${words.length > 1 ? (words.at(-1)?.[0] ?? '') : ''}`.toUpperCase();
}
