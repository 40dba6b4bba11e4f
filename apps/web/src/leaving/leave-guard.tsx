'use client';

import { createContext, use, useEffect, useId, useMemo, useState } from 'react';
import { Button } from '../components/button/button.tsx';
import { useHeldNavigation } from './use-held-navigation.ts';

/** A dialog, a side panel or a form of a page that asks before something entered in it is lost. */
export interface LeaveGuard {
  /** Reports whether a form has something unsaved; forms are told apart by their ids. */
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
  /** Stays. */
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
