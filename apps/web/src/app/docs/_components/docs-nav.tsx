'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import classes from './docs-nav.module.css';

/** A heading of the navigation and what stands below it. */
export interface NavGroup {
  readonly title: string;
  readonly links: readonly NavLink[];
}

interface NavLink {
  readonly href: string;
  readonly label: string;
  /** Parts of the page, shown while it is open. */
  readonly inner?: readonly { readonly href: string; readonly label: string }[];
}

/** The pages of the documentation: beside them, or folded above them where the screen is narrow. */
export function DocsNav({ groups }: { groups: readonly NavGroup[] }) {
  const path = usePathname();
  const folded = useRef<HTMLDetailsElement>(null);
  const here = groups.flatMap(({ links }) => links).find(({ href }) => href === path);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page folds the navigation.
  useEffect(() => {
    if (folded.current !== null) folded.current.open = false;
  }, [path]);
  return (
    <>
      <details ref={folded} className={classes.folded}>
        <summary>{here?.label ?? 'Contents'}</summary>
        <nav aria-label="Documentation, folded">
          <Groups groups={groups} path={path} />
        </nav>
      </details>
      <nav className={classes.nav} aria-label="Documentation">
        <Groups groups={groups} path={path} />
      </nav>
    </>
  );
}

function Groups({ groups, path }: { groups: readonly NavGroup[]; path: string }) {
  return groups.map(({ title, links }) => (
    <div key={title} className="not-first:mt-5.5">
      <p className="px-2.5 pb-1 text-ink-faint text-xs font-medium">{title}</p>
      <ul>
        {links.map(({ href, label, inner }) => (
          <li key={href}>
            <Link href={href} className={classes.link} aria-current={href === path ? 'page' : undefined}>
              {label}
            </Link>
            {inner !== undefined && href === path && (
              <ul className={classes.inner}>
                {inner.map((part) => (
                  <li key={part.href}>
                    <a href={part.href} className={classes.link}>
                      {part.label}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </div>
  ));
}
