'use client';

import { IconSearch } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { lazy, Suspense, useMemo, useState } from 'react';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { toggleColourScheme } from '#/theme/colour-scheme.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { signOut } from '../sign-out.ts';
import classes from './command-bar.module.css';
import { openOverlay, useOverlay } from './command-store.ts';
import { COMMANDS, type CommandTools } from './commands.ts';
import { useShortcuts } from './use-shortcuts.ts';

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
    commands: commands.filter(({ permission }) => permission === undefined || can(permission)),
  }));
  useShortcuts(tools, (id) => groups.some(({ commands }) => commands.some((command) => command.id === id)));
  const preload = () => void loadMenu();
  return (
    <>
      <button
        type="button"
        className={classes.button}
        onClick={() => openOverlay('commands')}
        onPointerEnter={preload}
        onFocus={preload}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title="Search (Ctrl-K)"
      >
        <IconSearch size={16} stroke={1.7} aria-hidden="true" />
        <span className={classes.label}>Search</span>
        <kbd className="py-px px-1.5 rounded-sm bg-ground-hover text-ink-quiet text-2xs max-[1099px]:hidden">Ctrl K</kbd>
      </button>
      <Suspense>
        {wanted && <CommandMenu open={overlay === 'commands'} groups={groups} tools={tools} onClose={() => openOverlay(null)} />}
        {overlay === 'shortcuts' && <ShortcutList groups={groups} onClose={() => openOverlay(null)} />}
      </Suspense>
    </>
  );
}
