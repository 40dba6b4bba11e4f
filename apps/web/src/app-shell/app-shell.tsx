import type { ReactNode } from 'react';
import { Logo } from '../components/page/logo.tsx';
import { SecretHost } from '../components/shown-once/secret-host.tsx';
import { Toasts } from '../components/toasts/toasts.tsx';
import { IncidentBanner } from '../incidents/incident-banner.tsx';
import { BlindBand } from '../liveness/blind-band.tsx';
import classes from './app-shell.module.css';
import { CommandBar } from './commands/command-bar.tsx';
import { AttentionCount, NavDrawer, NavList, RailToggle } from './navigation/nav.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import { MerchantSwitch, ModeBand, ModeSwitch } from './scope/scope-switches.tsx';
import { UserMenu } from './user-menu.tsx';

/** The frame of every page: navigation, merchant switch and mode switch. */
export function Frame({
  rail,
  user,
  children,
}: {
  rail: boolean;
  user: { name: string; email: string; role: string };
  children: ReactNode;
}) {
  return (
    <div className={classes.frame} data-rail={rail} id="frame">
      <a
        className="absolute -top-15 left-2 z-40 py-2 px-3.5 rounded-lg bg-accent text-on-accent text-sm focus:top-2"
        href="#content"
      >
        Skip to content
      </a>
      <header className="[grid-area:top] sticky top-0 z-20 bg-ground print:hidden">
        <ModeBand />
        <div className={classes.bar}>
          <NavDrawer />
          <MerchantSwitch />
          <ModeSwitch />
          <span className="flex-1" />
          <AttentionCount />
          <CommandBar />
          <SchemeSwitch />
          <UserMenu {...user} />
        </div>
        <BlindBand />
      </header>
      <nav className={classes.side} aria-label="Main">
        <div className={classes.brand}>
          <Logo />
          <span className={classes.name}>Switchyard</span>
        </div>
        <div className="laptop:flex-1 laptop:overflow-y-auto laptop:pt-1">
          <NavList />
        </div>
        <RailToggle initial={rail} />
      </nav>
      <main
        className="[grid-area:content] min-w-0 px-4 pt-4 pb-16 outline-none laptop:px-7 laptop:pt-6 laptop:pb-16 print:p-0"
        id="content"
        tabIndex={-1}
      >
        <IncidentBanner />
        {children}
      </main>
      <Toasts />
      <SecretHost />
    </div>
  );
}
