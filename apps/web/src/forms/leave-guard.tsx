'use client';

import { useEffect, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { useUnloadWarning } from './use-unload-warning.ts';

/**
 * Asks before something unsaved is lost: the browser as the window closes or loads another page, and, where it `asks` itself, a
 * dialog as a link of this page is followed.
 */
export function LeaveGuard({ isUnsaved, asks }: { isUnsaved: boolean; asks: boolean }) {
  const [followed, setFollowed] = useState<HTMLAnchorElement | null>(null);
  useUnloadWarning(isUnsaved);
  useEffect(() => {
    if (!isUnsaved || !asks) return;
    const hold = (event: MouseEvent) => {
      const link = leavingLink(event);
      if (link === null) return;
      event.preventDefault();
      event.stopPropagation();
      setFollowed(link);
    };
    document.addEventListener('click', hold, { capture: true });
    return () => document.removeEventListener('click', hold, { capture: true });
  }, [isUnsaved, asks]);
  if (followed === null) return null;
  return (
    <Dialog title="Leave without saving?" onClose={() => setFollowed(null)}>
      <p>What you entered is not saved.</p>
      <DialogActions>
        <Button onClick={() => setFollowed(null)}>Keep editing</Button>
        <Button
          variant="danger"
          onClick={() => {
            setFollowed(null);
            follow(followed);
          }}
        >
          Discard
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Set while a link is followed that was held before. */
let isFollowing = false;

function follow(link: HTMLAnchorElement): void {
  isFollowing = true;
  link.click();
  isFollowing = false;
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
