'use client';

import { IconMenu2, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Logo } from '#/components/page/logo.tsx';
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
