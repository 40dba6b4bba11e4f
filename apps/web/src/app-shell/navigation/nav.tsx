'use client';

import {
  IconAlertTriangle,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconMenu2,
  IconX,
} from '@tabler/icons-react';
import Link, { useLinkStatus } from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { Logo } from '#/components/page/logo.tsx';
import { TabMark } from '#/incidents/tab-mark.tsx';
import { useAttention } from '#/incidents/use-attention.ts';
import { useIsBlind } from '#/liveness/blindness.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCanAnywhere, useCanHere } from '#/trpc/use-can.ts';
import { rememberInCookie } from '../remember.ts';
import classes from './nav-list.module.css';
import { isUnder, NAVIGATION, type NavigationEntry } from './navigation.ts';
import { RAIL_COOKIE } from './rail.ts';

/** The navigation's groups; going elsewhere keeps merchant and mode. */
export function NavList({ onGo }: { onGo?: () => void }) {
  const pathname = usePathname();
  const scope = useScope();
  const can = useCanAnywhere();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (pathname !== '') list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname]);
  const fold = (title: string) =>
    setFolded((before) =>
      before.has(title) ? new Set([...before].filter((one) => one !== title)) : new Set([...before, title]),
    );
  const groups = NAVIGATION.map(({ title, entries }) => ({
    title,
    entries: entries.filter(({ permission }) => permission === undefined || can(permission)),
  })).filter(({ entries }) => entries.length > 0);
  return (
    <div ref={list}>
      {groups.map(({ title, entries }) => (
        <div key={title} className={classes.group} data-folded={folded.has(title)}>
          <button type="button" className={classes.title} aria-expanded={!folded.has(title)} onClick={() => fold(title)}>
            {title}
          </button>
          <ul>
            {entries.map((entry) => (
              <li key={entry.path} className={classes.item} data-current={isUnder(entry, pathname)}>
                <EntryLink entry={entry} href={hrefIn(scope, entry.path)} isCurrent={isUnder(entry, pathname)} onGo={onGo} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
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

/** The navigation on a small screen: opened over the page, closed by going somewhere. */
export function NavDrawer() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpened, setOpened] = useState(false);
  function open() {
    setOpened(true);
    dialog.current?.showModal();
  }
  const close = () => dialog.current?.close();
  return (
    <>
      <button
        type="button"
        className="grid flex-none place-items-center w-9 h-9 rounded-lg text-ink hover:bg-ground-hover laptop:hidden"
        aria-label="Open navigation"
        onClick={open}
      >
        <IconMenu2 size={20} stroke={1.7} aria-hidden="true" />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the dialog closes by Escape of itself; this is for a tap beside it. */}
      <dialog
        ref={dialog}
        className="w-[min(300px,86vw)] max-w-none h-[100dvh] max-h-none m-0 p-0 border-0 bg-ground-float text-ink backdrop:bg-[rgb(6_8_10_/_50%)]"
        aria-label="Navigation"
        onClick={(event) => event.target === dialog.current && close()}
      >
        <div className="py-2.5 px-3.5">
          <div className="flex items-center gap-2.5 mb-5 pl-2.5 text-lg font-semibold">
            <Logo />
            <span className="flex-1">Switchyard</span>
            <button
              type="button"
              className="grid flex-none place-items-center w-9 h-9 rounded-lg text-ink hover:bg-ground-hover laptop:hidden"
              aria-label="Close navigation"
              onClick={close}
            >
              <IconX size={20} stroke={1.7} aria-hidden="true" />
            </button>
          </div>
          <nav aria-label="Main">{isOpened && <NavList onGo={close} />}</nav>
        </div>
      </dialog>
    </>
  );
}

/** Collapses the navigation to its icons, and back; the choice is stored. */
export function RailToggle({ initial }: { initial: boolean }) {
  const [rail, setRail] = useState(initial);
  function toggle() {
    setRail(!rail);
    rememberInCookie(RAIL_COOKIE, rail ? 'off' : 'on');
    document.getElementById('frame')?.setAttribute('data-rail', String(!rail));
  }
  const label = rail ? 'Expand navigation' : 'Collapse navigation';
  const Glyph = rail ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <button
      type="button"
      className="grid place-items-center self-start w-9 h-8 rounded-lg text-ink-faint hover:bg-ground-hover hover:text-ink"
      onClick={toggle}
      aria-label={label}
      title={label}
    >
      <Glyph size={18} stroke={1.7} aria-hidden="true" />
    </button>
  );
}

const REFRESH_MS = 15_000;

/**
 * The number of items that need attention, with a link to them, on every page. Renders nothing while there are none.
 *
 * It queries only after hydration: a query started in the frame would mark the data prefetched by a page as stale.
 */
export function AttentionCount() {
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  const mayRead = useCanHere()('alert:read');
  if (!alive || !mayRead) return null;
  return (
    <>
      <TabMark refetchInterval={REFRESH_MS} />
      <Count />
    </>
  );
}

function Count() {
  const scope = useScope();
  const { data } = useAttention(REFRESH_MS);
  const isBlind = useIsBlind();
  const count = data?.items.length ?? 0;
  if (count === 0 && !isBlind) return null;
  const words = isBlind
    ? 'What needs attention is unknown'
    : count === 1
      ? '1 item needs attention'
      : `${count} items need attention`;
  return (
    <Link
      href={hrefIn(scope, '/overview')}
      className="inline-flex flex-none gap-1 items-center h-8 px-2 rounded-md text-bad-ink data-[blind=true]:text-ink-quiet text-sm font-medium tabular-nums no-underline hover:bg-ground-hover"
      data-blind={isBlind}
      aria-label={words}
      title={words}
    >
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden="true" />
      {isBlind ? '?' : count}
    </Link>
  );
}
