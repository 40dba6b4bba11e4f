'use client';

import { IconMenu2, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Logo } from '#/components/page/logo.tsx';
import classes from './nav-drawer.module.css';
import { NavList } from './nav-list.tsx';

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
      <button type="button" className={classes.open} aria-label="Open navigation" onClick={open}>
        <IconMenu2 size={20} stroke={1.7} aria-hidden="true" />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the dialog closes by Escape of itself; this is for a tap beside it. */}
      <dialog
        ref={dialog}
        className={classes.drawer}
        aria-label="Navigation"
        onClick={(event) => event.target === dialog.current && close()}
      >
        <div className={classes.content}>
          <div className={classes.head}>
            <Logo />
            <span className={classes.name}>Switchyard</span>
            <button type="button" className={classes.open} aria-label="Close navigation" onClick={close}>
              <IconX size={20} stroke={1.7} aria-hidden="true" />
            </button>
          </div>
          <nav aria-label="Main">{isOpened && <NavList onGo={close} />}</nav>
        </div>
      </dialog>
    </>
  );
}
