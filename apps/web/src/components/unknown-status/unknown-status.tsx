import type { ReactNode } from 'react';
import { JsonView } from '#/components/copyable/json-view.tsx';

/** A gateway's status that its documentation does not list, what it came in, and what to do. Nothing where there is none. */
export function UnknownStatus({
  message,
  record,
  children,
}: {
  message: string | null;
  /** Text of JSON; null where it is not kept. */
  record: string | null;
  children: ReactNode;
}) {
  if (message === null) return null;
  return (
    <section
      aria-label="Unknown status"
      className="grid gap-1 max-w-[90ch] mb-5 py-2.5 px-3 border-l-2 border-bad bg-ground-quiet"
    >
      <p className="font-semibold wrap-anywhere">{message}</p>
      <p>{children}</p>
      {record !== null && (
        <details className="text-xs">
          <summary className="text-ink-quiet cursor-pointer">What was answered</summary>
          <JsonView text={record} label="what was answered" />
        </details>
      )}
    </section>
  );
}
