'use client';

import { createContext, use, useEffect, useEffectEvent, useId, useMemo, useState } from 'react';
import { Button } from '../components/button/button.tsx';

/** A dialog, a side panel or a form of a page that asks before something entered in it is lost. */
export interface LeaveGuard {
  /** Reports whether a form has something unsaved; `form` is its id. */
  readonly report: (form: string, isUnsaved: boolean) => void;
  /** Does what would lose the forms within, once nothing is lost by it or the person has agreed to that. */
  readonly leave: (go: () => void) => void;
}

/** The guard around; null outside of any. */
export const LeaveGuardContext = createContext<LeaveGuard | null>(null);

/** The guard of what holds forms. */
export interface LeaveQuestion {
  readonly guard: LeaveGuard;
  /** True if something within is unsaved. */
  readonly isUnsaved: boolean;
  /** True while the person is asked. */
  readonly isAsking: boolean;
  readonly stay: () => void;
  /** Leaves as was asked for. */
  readonly discard: () => void;
}

/**
 * A guard for the forms within: leaving by a link, a step of the history or `guard.leave` asks first while one of them has something
 * unsaved. The question is shown by `UnsavedQuestion`.
 */
export function useLeaveGuard(): LeaveQuestion {
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set());
  const [report] = useState((): LeaveGuard['report'] => (form, is) => setUnsaved((before) => withForm(before, form, is)));
  const [held, setHeld] = useState<{ readonly go: () => void } | null>(null);
  const isUnsaved = unsaved.size > 0;
  const guard = useMemo((): LeaveGuard => ({ report, leave: (go) => (isUnsaved ? setHeld({ go }) : go()) }), [report, isUnsaved]);
  useHeldNavigation(isUnsaved, (go) => setHeld({ go }));
  return {
    guard,
    isUnsaved,
    isAsking: isUnsaved && held !== null,
    stay: () => setHeld(null),
    discard() {
      setHeld(null);
      held?.go();
    },
  };
}

/** Reports to the guard around whether a form has something unsaved. */
export function useReportUnsaved(guard: LeaveGuard, isUnsaved: boolean): void {
  const form = useId();
  const { report } = guard;
  useEffect(() => {
    report(form, isUnsaved);
    return () => report(form, false);
  }, [report, form, isUnsaved]);
}

/** Does something that ends the form around, a dialog that is cancelled for example: asks first where that loses what was entered. */
export function useLeave(): LeaveGuard['leave'] {
  return use(LeaveGuardContext)?.leave ?? ((go) => go());
}

/** The question of a guard, within what would be left. */
export function UnsavedQuestion({ question: { isAsking, stay, discard } }: { question: LeaveQuestion }) {
  if (!isAsking) return null;
  return (
    <div
      className="flex flex-wrap gap-2 items-center py-2.5 px-3 border-l-3 border-wait bg-wait-soft text-sm [&_p]:flex-1 [&_p]:min-w-[160px]"
      role="alert"
    >
      <p>What you entered is not saved.</p>
      <Button autoFocus onClick={stay}>
        Keep editing
      </Button>
      <Button variant="danger" onClick={discard}>
        Discard
      </Button>
    </div>
  );
}

function withForm(unsaved: ReadonlySet<string>, form: string, isUnsaved: boolean): ReadonlySet<string> {
  if (unsaved.has(form) === isUnsaved) return unsaved;
  const others = [...unsaved].filter((each) => each !== form);
  return new Set(isUnsaved ? [...others, form] : others);
}

/** True while a navigation is done that was held before. */
let isFollowing = false;

/**
 * Holds what would leave the present address while something is unsaved: a link that is followed and, where the browser allows it, a
 * step through its history. `onHeld` is given what does it after all. Links to other windows and files are let through.
 */
function useHeldNavigation(isUnsaved: boolean, onHeld: (go: () => void) => void): void {
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
