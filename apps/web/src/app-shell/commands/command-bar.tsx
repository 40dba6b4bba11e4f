'use client';

import { IconSearch } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { toggleColourScheme } from '#/theme/colour-scheme.tsx';
import { useCan, useCanHere } from '#/trpc/use-can.ts';
import { signOut } from '../sign-out.ts';
import { openOverlay, shortcutsAreOn, useOverlay } from './command-store.ts';
import { COMMANDS, type CommandTools } from './commands.ts';

const loadMenu = () => import('./command-menu.tsx');
const CommandMenu = lazy(() =>
  loadMenu().catch((error: unknown) => {
    // Lets go of the keys that are held for the menu.
    openOverlay(null);
    throw error;
  }),
);
const ShortcutList = lazy(() => import('./shortcut-list.tsx'));

/** The button for the command menu, and the keys that work on every page. The menu itself is loaded on first use. */
export function CommandBar() {
  const overlay = useOverlay();
  const [wanted, setWanted] = useState(false);
  if (overlay === 'commands' && !wanted) setWanted(true);
  const scope = useScope();
  const router = useRouter();
  const can = useCan();
  const canHere = useCanHere();
  const tools = useMemo(
    (): CommandTools => ({
      scope,
      go: (path, query = {}) => router.push(hrefIn(scope, path, query)),
      toggleScheme: toggleColourScheme,
      showShortcuts: () => openOverlay('shortcuts'),
      signOut: () => void signOut(),
    }),
    [scope, router],
  );
  const groups = COMMANDS.map(({ title, commands }) => ({
    title,
    commands: commands.filter(
      ({ permission, forAll }) => permission === undefined || (forAll ? can(permission, null) : canHere(permission)),
    ),
  }));
  useShortcuts(tools, (id) => groups.some(({ commands }) => commands.some((command) => command.id === id)));
  const preload = () => void loadMenu();
  return (
    <>
      <button
        type="button"
        className="bar-control flex-none pl-2.5 pr-1.5 text-ink-faint max-[1099px]:size-9 max-[1099px]:justify-center max-[1099px]:p-0 max-[1099px]:border-transparent"
        onClick={() => openOverlay('commands')}
        onPointerEnter={preload}
        onFocus={preload}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title="Search (Ctrl-K)"
      >
        <IconSearch size={16} stroke={1.7} aria-hidden="true" />
        <span className="min-w-24 text-start max-[1099px]:sr-only">Search</span>
        <kbd className="py-px px-1.5 rounded-sm bg-ground-hover text-ink-quiet text-2xs max-[1099px]:hidden">Ctrl K</kbd>
      </button>
      <Suspense>
        {wanted && <CommandMenu open={overlay === 'commands'} groups={groups} tools={tools} onClose={() => openOverlay(null)} />}
        {overlay === 'shortcuts' && <ShortcutList groups={groups} onClose={() => openOverlay(null)} />}
      </Suspense>
    </>
  );
}

const SECOND_KEY_MS = 1_500;

/** Keyboard shortcuts of every page: never while typing, and single keys only while they are switched on. */
export function useShortcuts(tools: CommandTools, isOffered: (commandId: string) => boolean): void {
  const latest = useRef({ tools, isOffered });
  latest.current = { tools, isOffered };
  useEffect(() => {
    let first: { key: string; at: number } | null = null;
    function press(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openOverlay('commands');
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || !shortcutsAreOn() || isBusy(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        focusSearch();
        return;
      }
      const before = first !== null && event.timeStamp - first.at < SECOND_KEY_MS ? `${first.key} ` : '';
      first = null;
      const pressed = `${before}${event.key}`;
      const command = COMMANDS.flatMap(({ commands }) => commands).find(({ keys }) => keys === pressed);
      if (command !== undefined && latest.current.isOffered(command.id)) {
        event.preventDefault();
        command.run(latest.current.tools);
      } else if (event.key.length === 1) first = { key: event.key, at: event.timeStamp };
    }
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

/** True if a field has the focus or a dialog is open. */
function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open], [role="dialog"]') !== null) return true;
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** Puts the cursor into the page's own search, or opens the menu where the page has none. */
function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (field === null) openOverlay('commands');
  else field.focus();
}
