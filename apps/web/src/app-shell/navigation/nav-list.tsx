'use client';

import Link, { useLinkStatus } from 'next/link';
import { usePathname } from 'next/navigation';
import { useState } from 'react';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import classes from './nav-list.module.css';
import { isUnder, NAVIGATION, type NavigationEntry } from './navigation.ts';

/** The navigation's groups; going elsewhere keeps merchant and mode. */
export function NavList({ onGo }: { onGo?: () => void }) {
  const pathname = usePathname();
  const scope = useScope();
  const can = useCan();
  const groups = NAVIGATION.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ permission }) => permission === undefined || can(permission, null)),
  })).filter(({ entries }) => entries.length > 0);
  return groups.map((group) => (
    <div key={group.title} className={classes.group}>
      <p className={classes.title}>{group.title}</p>
      <ul>
        {group.entries.map((entry) => (
          <li key={entry.path}>
            <EntryLink entry={entry} href={hrefIn(scope, entry.path)} isCurrent={isUnder(entry, pathname)} onGo={onGo} />
          </li>
        ))}
      </ul>
    </div>
  ));
}

/** Asks for its page ahead only once the pointer or the focus is on it: asking for all of them would delay the page just opened. */
function EntryLink({
  entry,
  href,
  isCurrent,
  onGo,
}: {
  entry: NavigationEntry;
  href: string;
  isCurrent: boolean;
  onGo: (() => void) | undefined;
}) {
  const [isNear, setNear] = useState(false);
  const approach = () => setNear(true);
  return (
    <Link
      href={href}
      className={classes.entry}
      aria-current={isCurrent ? 'page' : undefined}
      title={entry.label}
      prefetch={isNear ? 'auto' : false}
      onPointerEnter={approach}
      onFocus={approach}
      {...(onGo && { onClick: onGo })}
    >
      <entry.icon size={18} stroke={1.7} aria-hidden="true" />
      <span className={classes.label}>{entry.label}</span>
      <LoadingMark />
    </Link>
  );
}

/** Shown on the clicked entry while the server prepares its page. */
function LoadingMark() {
  const { pending } = useLinkStatus();
  return <span className={classes.loading} data-pending={pending} aria-hidden="true" />;
}
