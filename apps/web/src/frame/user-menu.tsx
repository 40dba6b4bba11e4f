'use client';

import { IconLogout } from '@tabler/icons-react';
import { useState } from 'react';
import { Popup } from '../components/popup/popup.tsx';
import bar from './bar-button.module.css';
import classes from './user-menu.module.css';

/** Who is signed in, and the way out. */
export function UserMenu({ name, email, role }: { name: string; email: string; role: string }) {
  const face = (
    <>
      <span className="visually-hidden">Account: </span>
      <span className={classes.initials} title={name}>
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
      content={() => (
        <>
          <div className={classes.who}>
            <strong>{name}</strong>
            <span>{email}</span>
            <span>{role}</span>
          </div>
          <SignOut />
        </>
      )}
    />
  );
}

function SignOut() {
  const [leaving, setLeaving] = useState(false);
  async function signOut() {
    setLeaving(true);
    const headers = { 'content-type': 'application/json' };
    await fetch('/api/auth/sign-out', { method: 'POST', headers, body: '{}' }).catch(() => null);
    window.location.assign('/sign-in');
  }
  return (
    <button type="button" className={classes.entry} onClick={signOut} disabled={leaving}>
      <IconLogout size={16} stroke={1.7} aria-hidden="true" />
      Sign out
    </button>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return `${words[0]?.[0] ?? ''}${words.length > 1 ? (words.at(-1)?.[0] ?? '') : ''}`.toUpperCase();
}
