import { cleanup, configure, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactElement, type ReactNode, useState } from 'react';
import { afterEach } from 'vitest';

/** Time that elements may take to appear: against tests that hang. A machine that is busy takes several times as long as one that is not. */
const APPEARS_WITHIN_MS = 60_000;

/**
 * A person who uses the page: the part of `UserEvent` that suites need, written out. The type of `UserEvent` is computed from others, which takes
 * the linter seconds to look through, and hides from it that a promise is not awaited.
 */
export interface Person {
  readonly click: (element: Element) => Promise<void>;
  readonly type: (element: Element, text: string) => Promise<void>;
  readonly clear: (element: Element) => Promise<void>;
  readonly keyboard: (text: string) => Promise<unknown>;
  readonly tab: (options?: { readonly shift?: boolean }) => Promise<void>;
  readonly paste: (text: string) => Promise<void>;
  readonly upload: (element: HTMLElement, file: File | File[]) => Promise<void>;
}

/** An empty page on which a suite shows controls and uses them as a person does: by their roles and names, with pointer and keyboard. */
export interface Page {
  /** Shows an element; it is removed after the test. Returns the person who uses it, whose clipboard is empty. */
  readonly show: (element: ReactElement) => Person;
}

/**
 * Opens the suite's page. Its file begins with `// @vitest-environment happy-dom`, which has dialogs, observers and pointers. No layout
 * is done and style sheets are empty, so that places, sizes and what a browser does by itself (the focus after a dialog, the focus
 * kept inside one) are left to the journeys.
 */
export function openPage(): Page {
  configure({ asyncUtilTimeout: APPEARS_WITHIN_MS });
  afterEach(cleanup);
  return {
    show(element) {
      const user = userEvent.setup();
      render(element);
      return user;
    },
  };
}

/** A control with the value that it was given last, as a form keeps it. */
export function Controlled<Value>({
  initial,
  children,
}: {
  initial: Value;
  children: (value: Value, change: (value: Value) => void) => ReactNode;
}): ReactNode {
  const [value, setValue] = useState(initial);
  return children(value, setValue);
}
