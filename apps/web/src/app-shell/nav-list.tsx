'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { hrefIn } from '../scope/scope.ts';
import { useScope } from '../scope/use-scope.ts';
import { useMay } from '../trpc/use-may.ts';
import classes from './nav-list.module.css';
import { isUnder, NAVIGATION } from './navigation.ts';

/** The navigation's groups; going elsewhere keeps merchant and mode. */
export function NavList({ onGo }: { onGo?: () => void }) {
  const pathname = usePathname();
  const scope = useScope();
  const may = useMay();
  const groups = NAVIGATION.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ permission }) => permission === undefined || may(permission, null)),
  })).filter(({ entries }) => entries.length > 0);
  return groups.map((group) => (
    <div key={group.title} className={classes.group}>
      <p className={classes.title}>{group.title}</p>
      <ul>
        {group.entries.map((entry) => (
          <li key={entry.path}>
            <Link
              href={hrefIn(scope, entry.path)}
              className={classes.entry}
              aria-current={isUnder(entry, pathname) ? 'page' : undefined}
              title={entry.label}
              {...(onGo && { onClick: onGo })}
            >
              <entry.icon size={18} stroke={1.7} aria-hidden="true" />
              <span className={classes.label}>{entry.label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}
