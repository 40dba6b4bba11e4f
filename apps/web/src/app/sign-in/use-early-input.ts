'use client';

import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps what was typed into a form before the page's script came, on a slow line or machine. React hydrates a field with its own
 * value, shows what was typed until the next change anywhere in the form, and empties the field then. Each field's `onChange` gets
 * the text as if it were typed now. React has this itself only behind a flag of its own builds (`enableHydrationChangeEvent`).
 */
export function useEarlyInput(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    for (const field of form.current?.elements ?? []) if (field instanceof HTMLInputElement) handOver(field);
  }, []);
  return form;
}

function handOver(field: HTMLInputElement): void {
  const { value: typed, defaultValue } = field;
  if (typed === defaultValue) return;
  // React reports a change against the value that was set through the element's own property, which it watches.
  field.value = defaultValue;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, typed);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
