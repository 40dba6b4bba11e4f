'use client';

import dynamic from 'next/dynamic';
import { Popup } from '../components/popup/popup.tsx';

// Loaded when it opens: every page has the button.
const UserMenuContent = dynamic(() => import('./user-menu-content.tsx').then((module) => module.UserMenuContent));

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
      button={{ className: 'icon-button', children: face }}
      content={(close) => <UserMenuContent name={name} email={email} role={role} onGo={close} />}
    />
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  return `${words[0]?.[0] ?? ''}${words.length > 1 ? (words.at(-1)?.[0] ?? '') : ''}`.toUpperCase();
}
