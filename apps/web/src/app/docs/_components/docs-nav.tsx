'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';

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
      <details ref={folded} className="[grid-area:nav] border-b border-line min-[1000px]:hidden">
        <summary className="py-3 px-5 text-ink-quiet font-medium cursor-pointer">{here?.label ?? 'Contents'}</summary>
        <nav className="px-2.5 pb-5" aria-label="Documentation, folded">
          <Groups groups={groups} path={path} />
        </nav>
      </details>
      <nav
        className="hidden min-[1000px]:block [grid-area:nav] sticky top-14 self-start h-[calc(100dvh_-_56px)] pt-7 px-3.5 pb-10 overflow-y-auto border-r border-line"
        aria-label="Documentation"
      >
        <Groups groups={groups} path={path} />
      </nav>
    </>
  );
}

const LINK =
  'block py-1.25 px-2.5 rounded-lg text-ink-quiet text-[13.5px] no-underline hover:bg-ground-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-ink aria-[current=page]:font-medium';

function Groups({ groups, path }: { groups: readonly NavGroup[]; path: string }) {
  return groups.map(({ title, links }) => (
    <div key={title} className="not-first:mt-5.5">
      <p className="px-2.5 pb-1 text-ink-faint text-xs font-medium">{title}</p>
      <ul>
        {links.map(({ href, label, inner }) => (
          <li key={href}>
            <Link href={href} className={LINK} aria-current={href === path ? 'page' : undefined}>
              {label}
            </Link>
            {inner !== undefined && href === path && (
              <ul className="my-0.5 ml-3 pl-1.5 border-l border-line [&_a]:py-1 [&_a]:text-sm">
                {inner.map((part) => (
                  <li key={part.href}>
                    <a href={part.href} className={LINK}>
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
