import type { ReactNode } from 'react';
import { Logo } from '../components/page/logo.tsx';
import { SecretHost } from '../components/shown-once/secret-host.tsx';
import { Toasts } from '../components/toasts/toasts.tsx';
import classes from './app-shell.module.css';
import { AttentionCount } from './attention-count.tsx';
import { CommandBar } from './commands/command-bar.tsx';
import { NavDrawer } from './navigation/nav-drawer.tsx';
import { NavList } from './navigation/nav-list.tsx';
import { RailToggle } from './navigation/rail-toggle.tsx';
import { SchemeSwitch } from './scheme-switch.tsx';
import { MerchantSwitch } from './scope/merchant-switch.tsx';
import { ModeBand } from './scope/mode-band.tsx';
import { ModeSwitch } from './scope/mode-switch.tsx';
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
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      <header className={classes.top}>
        <ModeBand />
        <div className={classes.bar}>
          <NavDrawer />
          <MerchantSwitch />
          <ModeSwitch />
          <span className={classes.gap} />
          <AttentionCount />
          <CommandBar />
          <SchemeSwitch />
          <UserMenu {...user} />
        </div>
      </header>
      <nav className={classes.side} aria-label="Main">
        <div className={classes.brand}>
          <Logo />
          <span className={classes.name}>Switchyard</span>
        </div>
        <div className={classes.nav}>
          <NavList />
        </div>
        <RailToggle initial={rail} />
      </nav>
      <main className={classes.content} id="content" tabIndex={-1}>
        {children}
      </main>
      <Toasts />
      <SecretHost />
    </div>
  );
}
