'use client';

import { useEffect, useEffectEvent } from 'react';

/** True while a navigation is done that was held before. */
let isFollowing = false;

/**
 * Holds what would leave the present address while something is unsaved: a link that is followed and, where the browser allows it, a
 * step through its history. `onHeld` is given what does it after all. Links to other windows and files are let through.
 */
export function useHeldNavigation(isUnsaved: boolean, onHeld: (go: () => void) => void): void {
  const held = useEffectEvent(onHeld);
  useEffect(() => {
    if (!isUnsaved) return;
    const holdLink = (event: MouseEvent) => {
      const link = leavingLink(event);
      if (link === null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      held(() => follow(link));
    };
    const holdStep = (event: NavigateEvent) => {
      if (isFollowing || event.navigationType !== 'traverse' || !event.cancelable) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const { key } = event.destination;
      held(() => step(key));
    };
    const history = 'navigation' in window ? window.navigation : null;
    document.addEventListener('click', holdLink, { capture: true });
    history?.addEventListener('navigate', holdStep);
    return () => {
      document.removeEventListener('click', holdLink, { capture: true });
      history?.removeEventListener('navigate', holdStep);
    };
  }, [isUnsaved]);
}

function follow(link: HTMLAnchorElement): void {
  isFollowing = true;
  link.click();
  isFollowing = false;
}

function step(key: string): void {
  isFollowing = true;
  const { committed, finished } = window.navigation.traverseTo(key);
  void Promise.allSettled([committed, finished]).then(() => {
    isFollowing = false;
  });
}

/** The link that a click would leave the page by, in this window. */
function leavingLink(event: MouseEvent): HTMLAnchorElement | null {
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (isFollowing || !isPlain || !(event.target instanceof Element)) return null;
  const link = event.target.closest('a');
  if (link === null || link.href === '' || link.download !== '' || (link.target !== '' && link.target !== '_self')) return null;
  const to = new URL(link.href, window.location.href);
  const isHere = to.pathname === window.location.pathname && to.search === window.location.search;
  return to.origin === window.location.origin && !isHere ? link : null;
}
