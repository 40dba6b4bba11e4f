'use client';

import { IconLogout, IconMoon, IconUserCog } from '@tabler/icons-react';
import Link from 'next/link';
import { useState } from 'react';
import { viewerZone } from '../format/zone.ts';
import { hrefIn } from '../scope/scope.ts';
import { useScope } from '../scope/use-scope.ts';
import { toggleColourScheme } from '../theme/colour-scheme.tsx';
import { signOut } from './sign-out.ts';

/** The person who is signed in, and what they can do about it; `onGo` is called when a page opens. */
export function UserMenuContent({ name, email, role, onGo }: { name: string; email: string; role: string; onGo: () => void }) {
  return (
    <>
      <div className="mb-2 pb-3 border-b border-line text-sm wrap-anywhere [&_span]:block [&_span]:text-ink-faint [&_span]:text-xs">
        <strong className="block font-semibold">{name}</strong>
        <span>{email}</span>
        <span>{role}</span>
        <span>Times in {viewerZone()}</span>
      </div>
      <AccountLink onGo={onGo} />
      <Scheme />
      <SignOut />
    </>
  );
}

function AccountLink({ onGo }: { onGo: () => void }) {
  const scope = useScope();
  return (
    <Link href={hrefIn(scope, '/account')} className="menu-entry" onClick={onGo}>
      <IconUserCog size={16} stroke={1.7} aria-hidden="true" />
      Your account
    </Link>
  );
}

/** On a narrow bar. */
function Scheme() {
  return (
    <button type="button" className="menu-entry min-[481px]:hidden" onClick={toggleColourScheme}>
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
    <button type="button" className="menu-entry" onClick={leave} disabled={leaving}>
      <IconLogout size={16} stroke={1.7} aria-hidden="true" />
      Sign out
    </button>
  );
}
