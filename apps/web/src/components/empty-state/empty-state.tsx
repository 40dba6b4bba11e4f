import type { ReactNode } from 'react';

/** Shown in place of an empty list: what it will hold, an example, and the first step. */
export function EmptyState({
  title,
  example,
  action,
  children,
}: {
  title: string;
  example?: ReactNode;
  /** A button or a link. */
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="grid gap-3 justify-items-start max-w-[640px] pt-8 pb-10 text-sm">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children !== undefined && <p className="text-ink-quiet leading-[1.5]">{children}</p>}
      {example !== undefined && <p className="pl-3 border-l-3 border-line-strong text-ink-quiet">{example}</p>}
      {action}
    </div>
  );
}
